"""The hand-over: report as PDF, HTML and Markdown, scripts, CSV, JSON; no Qt."""
