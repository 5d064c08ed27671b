import subprocess
import sys

PROGRAM = """
import sys, time
start = time.process_time()
import impasto_nodes.inputs, impasto_nodes.control, impasto_nodes.transform
heavy = {"numpy", "PIL", "av", "skia", "onnxruntime", "httpx"} & set(sys.modules)
print(f"{time.process_time() - start:.3f}", *sorted(heavy))
"""


def test_nodes_are_imported_lightly():
    said = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    ).stdout.split()
    assert said[1:] == []
    assert float(said[0]) < 0.6
