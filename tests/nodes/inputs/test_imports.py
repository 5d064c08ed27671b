import subprocess
import sys

PROGRAM = """
import sys, time
start = time.process_time()
import impasto_nodes.inputs, impasto_nodes.control, impasto_nodes.transform
heavy = {"numpy", "PIL", "av", "skia", "onnxruntime", "httpx"} & set(sys.modules)
taken = time.process_time() - start
sum(number * number for number in range(3_000_000))
print(taken / (time.process_time() - start - taken), *sorted(heavy))
"""


def test_nodes_are_imported_lightly():
    said = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    ).stdout.split()
    assert said[1:] == []
    assert float(said[0]) < 4.5, "in the time of three million additions, a quarter of a second"
