"""The manifests of deploy/kubernetes.yaml start what deploy/compose.yaml starts, and fit together."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

DEPLOY = Path(__file__).parents[2] / "deploy"
TEXT = (DEPLOY / "kubernetes.yaml").read_text("utf-8")
MANIFESTS = list(yaml.safe_load_all(TEXT))
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))["services"]
SHUTDOWN_SECONDS = 15  # between SIGTERM and SIGKILL, as docs/operate/scaling.md says
OF_IMPASTO = ["setup", "server", "worker"]


def of_kind(kind: str) -> dict[str, Any]:
    return {found["metadata"]["name"]: found for found in MANIFESTS if found["kind"] == kind}


def pod(service: str) -> dict[str, Any]:
    kind = "Job" if service == "setup" else "Deployment"
    found: dict[str, Any] = of_kind(kind)[f"impasto-{service}"]["spec"]["template"]["spec"]
    return found


def container(service: str) -> dict[str, Any]:
    (found,) = pod(service)["containers"]
    return dict(found)


@pytest.mark.parametrize("service", OF_IMPASTO)
def test_pod_executes_the_command_of_compose_with_its_settings(service: str) -> None:
    assert container(service)["command"] == COMPOSE[service]["command"]
    sources = container(service)["envFrom"]
    assert {"configMapRef": {"name": "impasto"}} in sources
    assert {"secretRef": {"name": "impasto"}} in sources
    named = set(of_kind("ConfigMap")["impasto"]["data"]) | set(re.findall(r"--from-literal=(\w+)", TEXT))
    needed = {name for name in COMPOSE[service]["environment"] if name.startswith("IMPASTO_")}
    assert needed <= named


@pytest.mark.parametrize("service", OF_IMPASTO)
def test_pod_is_unprivileged_and_reads_no_variables_of_services(service: str) -> None:
    security = container(service)["securityContext"]
    assert security["runAsNonRoot"]
    assert not security["allowPrivilegeEscalation"]
    assert f"--uid {security['runAsUser']} " in (DEPLOY / "Dockerfile").read_text("utf-8")
    # A service called impasto would set IMPASTO_PORT to an address.
    assert pod(service)["enableServiceLinks"] is False


@pytest.mark.parametrize("service", OF_IMPASTO)
def test_pod_mounts_the_folder_of_the_secrets(service: str) -> None:
    (mount,) = container(service)["volumeMounts"]
    assert mount["mountPath"] == of_kind("ConfigMap")["impasto"]["data"]["IMPASTO_SECRETS_DIR"]
    (volume,) = pod(service)["volumes"]
    assert volume["name"] == mount["name"]
    claim = of_kind("PersistentVolumeClaim")[volume["persistentVolumeClaim"]["claimName"]]
    assert claim["spec"]["accessModes"] == ["ReadWriteMany"]


@pytest.mark.parametrize("service", ["server", "worker"])
def test_pods_are_two_with_time_to_stop(service: str) -> None:
    deployment = of_kind("Deployment")[f"impasto-{service}"]["spec"]
    assert deployment["replicas"] == COMPOSE[service]["deploy"]["replicas"]
    assert deployment["selector"]["matchLabels"] == deployment["template"]["metadata"]["labels"]
    pause = (
        container(service).get("lifecycle", {}).get("preStop", {}).get("exec", {}).get("command", ["", "0"])
    )
    assert pod(service)["terminationGracePeriodSeconds"] > SHUTDOWN_SECONDS + int(pause[-1])


def test_service_leads_to_ready_servers() -> None:
    service = of_kind("Service")["impasto"]["spec"]
    labels = of_kind("Deployment")["impasto-server"]["spec"]["template"]["metadata"]["labels"]
    assert service["selector"] == labels
    (port,) = container("server")["ports"]
    assert service["ports"][0]["targetPort"] == port["name"]
    assert container("server")["readinessProbe"]["httpGet"] == {
        "path": "/readyz/server",
        "port": port["name"],
    }
    assert container("server")["livenessProbe"]["httpGet"] == {"path": "/healthz", "port": port["name"]}
    assert f"EXPOSE {port['containerPort']}" in (DEPLOY / "Dockerfile").read_text("utf-8")
