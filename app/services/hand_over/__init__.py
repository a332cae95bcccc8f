"""What is given away: reports, scripts, bundles, engagements."""
