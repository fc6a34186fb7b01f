# Writes a 1,000,000-row CSV (about 12 MB): python3 f10_make_large.py OUT.csv
import sys

with open(sys.argv[1], "w", newline="") as f:
    f.write("size,rent\n")
    for i in range(1_000_000):
        s = 200 + (i * 37) % 1801
        r = 1000 + 12 * s + 10 * ((i * 7919) % 401)
        f.write(f"{s // 10}.{s % 10},{r // 10}.{r % 10}\n")
