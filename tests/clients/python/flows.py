"""Drives a server with the Python client and prints what it saw as JSON, one entry per flow.

Usage: flows.py KUBECONFIG
A flow that fails prints its exception instead of its results, and the others still run.
"""

import json
import sys
import threading
import traceback

from kubernetes import client, config, dynamic, watch
from kubernetes.client.rest import ApiException

GROUP = "management.platform.internal"
NAMESPACE = "default"


def refusal(call):
    """The code and the Status of a request that must not succeed."""
    try:
        call()
    except ApiException as error:
        status = json.loads(error.body)
        return {"code": error.status, "kind": status["kind"], "reason": status["reason"], "message": status["message"]}
    return {"code": 200}


def config_map(name, data=None, labels=None):
    metadata = client.V1ObjectMeta(name=name, labels=labels)
    return client.V1ConfigMap(metadata=metadata, data=data or {})


def crud(api):
    core = client.CoreV1Api(api)
    created = core.create_namespaced_config_map(NAMESPACE, config_map("crud", {"step": "1"}))
    read = core.read_namespaced_config_map("crud", NAMESPACE)
    read.data["step"] = "2"
    replaced = core.replace_namespaced_config_map("crud", NAMESPACE, read)
    conflict = refusal(lambda: core.replace_namespaced_config_map("crud", NAMESPACE, created))
    deleted = core.delete_namespaced_config_map("crud", NAMESPACE)
    return {
        "sameUid": created.metadata.uid == replaced.metadata.uid,
        "replaced": replaced.data,
        "conflict": conflict,
        "deleted": deleted.status,
        "gone": refusal(lambda: core.read_namespaced_config_map("crud", NAMESPACE)),
    }


def kinds(api):
    core = client.CoreV1Api(api)
    metadata = client.V1ObjectMeta
    secret = core.create_namespaced_secret(
        NAMESPACE, client.V1Secret(metadata=metadata(name="secret"), string_data={"password": "open sesame"})
    )
    ports = [client.V1ServicePort(port=80, target_port="http")]
    spec = client.V1ServiceSpec(selector={"app": "web"}, ports=ports)
    service = core.create_namespaced_service(NAMESPACE, client.V1Service(metadata=metadata(name="web"), spec=spec))
    role = client.RbacAuthorizationV1Api(api).create_namespaced_role(
        NAMESPACE,
        client.V1Role(
            metadata=metadata(name="reader"),
            rules=[client.V1PolicyRule(api_groups=[""], resources=["pods"], verbs=["get"])],
        ),
    )
    lease = client.CoordinationV1Api(api).create_namespaced_lease(
        NAMESPACE,
        client.V1Lease(metadata=metadata(name="leader"), spec=client.V1LeaseSpec(holder_identity="me")),
    )
    namespace = core.create_namespace(client.V1Namespace(metadata=metadata(name="made-by-python")))
    return {
        "secret": secret.data,
        "clusterIP": service.spec.cluster_ip,
        "targetPort": service.spec.ports[0].target_port,
        "verbs": role.rules[0].verbs,
        "holder": lease.spec.holder_identity,
        "phase": namespace.status.phase,
        "nodes": [node.metadata.name for node in core.list_node().items],
    }


def lists(api):
    core = client.CoreV1Api(api)
    for index in range(5):
        labels = {"suite": "lists", "parity": "odd" if index % 2 else "even"}
        core.create_namespaced_config_map(NAMESPACE, config_map("listed-%d" % index, labels=labels))
    pages = []
    token = None
    while True:
        page = core.list_namespaced_config_map(NAMESPACE, label_selector="suite=lists", limit=2, _continue=token)
        pages.append([item.metadata.name for item in page.items])
        token = page.metadata._continue
        if not token:
            break
    odd = core.list_namespaced_config_map(NAMESPACE, label_selector="suite=lists,parity=odd")
    one = core.list_config_map_for_all_namespaces(field_selector="metadata.name=listed-4")
    core.delete_collection_namespaced_config_map(NAMESPACE, label_selector="suite=lists")
    left = core.list_namespaced_config_map(NAMESPACE, label_selector="suite=lists")
    return {
        "pages": pages,
        "odd": [item.metadata.name for item in odd.items],
        "one": [item.metadata.name for item in one.items],
        "left": len(left.items),
    }


def patches(api):
    core = client.CoreV1Api(api)
    core.create_namespaced_config_map(NAMESPACE, config_map("patched", {"a": "1", "b": "2"}))
    strategic = core.patch_namespaced_config_map("patched", NAMESPACE, {"data": {"a": None, "c": "3"}}).data
    operations = [{"op": "replace", "path": "/data/b", "value": "4"}]
    json_patch = core.patch_namespaced_config_map("patched", NAMESPACE, operations).data
    spec = client.V1ServiceSpec(ports=[client.V1ServicePort(name="http", port=80), client.V1ServicePort(name="x", port=81)])
    body = client.V1Service(metadata=client.V1ObjectMeta(name="patched"), spec=spec)
    core.create_namespaced_service(NAMESPACE, body)
    change = {"spec": {"ports": [{"port": 81, "name": "renamed"}]}}
    ports = core.patch_namespaced_service("patched", NAMESPACE, change).spec.ports
    node = core.create_node(client.V1Node(metadata=client.V1ObjectMeta(name="python-node")))
    status = core.patch_node_status(node.metadata.name, {"status": {"phase": "Running"}}).status.phase
    return {"strategic": strategic, "json": json_patch, "ports": [port.name for port in ports], "status": status}


def watches(api):
    core = client.CoreV1Api(api)
    start = core.list_namespaced_config_map(NAMESPACE).metadata.resource_version
    seen = []
    ready = threading.Event()

    def follow():
        ready.set()
        stream = watch.Watch()
        events = stream.stream(
            core.list_namespaced_config_map,
            NAMESPACE,
            label_selector="watched=yes",
            resource_version=start,
            timeout_seconds=20,
        )
        for event in events:
            seen.append("%s %s" % (event["type"], event["object"].metadata.name))
            if event["type"] == "DELETED":
                stream.stop()

    follower = threading.Thread(target=follow)
    follower.start()
    ready.wait()
    core.create_namespaced_config_map(NAMESPACE, config_map("watched", labels={"watched": "yes"}))
    core.create_namespaced_config_map(NAMESPACE, config_map("unwatched"))
    core.patch_namespaced_config_map("watched", NAMESPACE, {"data": {"step": "2"}})
    core.delete_namespaced_config_map("watched", NAMESPACE)
    follower.join(30)
    bounded = watch.Watch().stream(core.list_namespace, field_selector="metadata.name=default", timeout_seconds=1)
    return {"seen": seen, "bounded": [event["object"].metadata.name for event in bounded]}


def deletions(api):
    core = client.CoreV1Api(api)
    owner = core.create_namespaced_config_map(NAMESPACE, config_map("owner"))
    reference = client.V1OwnerReference(
        api_version="v1", kind="ConfigMap", name="owner", uid=owner.metadata.uid, block_owner_deletion=True
    )
    metadata = client.V1ObjectMeta(name="dependent", owner_references=[reference])
    core.create_namespaced_config_map(NAMESPACE, client.V1ConfigMap(metadata=metadata))
    start = core.list_namespaced_config_map(NAMESPACE).metadata.resource_version
    core.delete_namespaced_config_map(
        "owner", NAMESPACE, body=client.V1DeleteOptions(propagation_policy="Foreground")
    )
    order = []
    stream = watch.Watch().stream(
        core.list_namespaced_config_map, NAMESPACE, resource_version=start, timeout_seconds=20
    )
    for event in stream:
        if event["type"] == "DELETED":
            order.append(event["object"].metadata.name)
        if len(order) == 2:
            break
    return {"order": order}


def custom_objects(api):
    custom = client.CustomObjectsApi(api)
    where = (GROUP, "v1", "projects")
    body = {"apiVersion": GROUP + "/v1", "kind": "Project", "metadata": {"name": "python"}, "spec": {"displayName": "One"}}
    created = custom.create_cluster_custom_object(*where, body)
    patched = custom.patch_cluster_custom_object(*where, "python", {"spec": {"displayName": "Two"}})
    patched["spec"]["allowedClusters"] = ["a"]
    replaced = custom.replace_cluster_custom_object(*where, "python", patched)
    status = custom.patch_cluster_custom_object_status(*where, "python", {"status": {"phase": "Ready"}})
    listed = custom.list_cluster_custom_object(*where)
    deleted = custom.delete_cluster_custom_object(*where, "python")
    return {
        "created": created["spec"],
        "replaced": replaced["spec"],
        "generation": replaced["metadata"]["generation"],
        "status": status["status"],
        "listed": [item["metadata"]["name"] for item in listed["items"]],
        "deleted": deleted["status"],
        "gone": refusal(lambda: custom.get_cluster_custom_object(*where, "python")),
    }


def dynamic_client(api):
    found = dynamic.DynamicClient(api)
    projects = found.resources.get(api_version=GROUP + "/v1", kind="Project")
    maps = found.resources.get(api_version="v1", kind="ConfigMap")
    header = {"apiVersion": GROUP + "/v1", "kind": "Project"}
    created = projects.create(body={**header, "metadata": {"name": "dynamic"}, "spec": {"displayName": "One"}})
    merge = "application/merge-patch+json"
    patched = projects.patch(name="dynamic", body={"spec": {"displayName": "Two"}}, content_type=merge)
    status = projects.status.patch(name="dynamic", body={"status": {"phase": "Ready"}}, content_type=merge)
    deleted = projects.delete(name="dynamic")
    data = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "dynamic"}, "data": {"mode": "a"}}
    applied = found.request(
        "patch",
        maps.path(name="dynamic", namespace=NAMESPACE),
        body=json.dumps(data),
        content_type="application/apply-patch+yaml",
        query_params=[("fieldManager", "python")],
    )
    first = next(iter(maps.watch(namespace=NAMESPACE, field_selector="metadata.name=dynamic", timeout=5)))
    return {
        "namespaced": [projects.namespaced, maps.namespaced],
        "displayNames": [created.spec.displayName, patched.spec.displayName],
        "phase": status.status.phase,
        "deleted": deleted.status,
        "manager": applied.metadata.managedFields[0].manager,
        "watched": first["object"].metadata.name,
    }


def reviews(api):
    authorization = client.AuthorizationV1Api(api)
    attributes = client.V1ResourceAttributes(verb="create", resource="pods", namespace=NAMESPACE)
    spec = client.V1SelfSubjectAccessReviewSpec(resource_attributes=attributes)
    review = client.V1SelfSubjectAccessReview(spec=spec)
    token = client.V1TokenReview(spec=client.V1TokenReviewSpec(token="alice-token"))
    return {
        "allowed": authorization.create_self_subject_access_review(review).status.allowed,
        "user": client.AuthenticationV1Api(api).create_token_review(token).status.user.username,
        "version": client.VersionApi(api).get_code().minor,
        "groups": sorted(group.name for group in client.ApisApi(api).get_api_versions().groups),
    }


def errors(api):
    core = client.CoreV1Api(api)
    return {
        "invalid": refusal(lambda: core.create_namespaced_config_map(NAMESPACE, config_map("Not_A_Name"))),
        "missing": refusal(lambda: core.read_namespaced_secret("nowhere", NAMESPACE)),
        "exists": refusal(lambda: core.create_namespace(client.V1Namespace(metadata=client.V1ObjectMeta(name="default")))),
    }


FLOWS = [crud, kinds, lists, patches, watches, deletions, custom_objects, dynamic_client, reviews, errors]


def main():
    api = config.new_client_from_config(config_file=sys.argv[1])
    results = {}
    for flow in FLOWS:
        try:
            results[flow.__name__] = flow(api)
        except Exception:
            results[flow.__name__] = {"failed": traceback.format_exc()}
    print(json.dumps(results))


if __name__ == "__main__":
    main()
