"""Loads a module in C, which calls sqlite3_bind_int64() a hundred times."""
import os
import sqlite3
import sys
import time

time.sleep(float(os.environ["PAUSE"]))
database = sqlite3.connect(":memory:")
database.execute("CREATE TABLE numbers (number)")
database.executemany("INSERT INTO numbers VALUES (?)", [(number,) for number in range(100)])
try:
    database.execute("INSERT INTO strangers VALUES (1)")
except sqlite3.OperationalError as error:
    print("caught", error)
sys.exit(8)
