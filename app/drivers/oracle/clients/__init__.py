"""Drivers of Oracle behind one seam: python-oracledb thin in this process, thick and cx_Oracle in one of their own."""
