/** Descriptions of members that would otherwise show the description of their type. */
export const memberTexts: Readonly<Record<string, string>> = {
  'admissionregistration.ValidatingAdmissionPolicyStatus.typeChecking':
    'Type errors that the server has found in the expressions.',
  'apiextensions.JSONSchemaProps.not': 'A schema that the value must not match.',
  'apiextensions.JSONSchemaProps.externalDocs': 'Link to further documentation of the value.',
  'apps.ControllerRevision.data': 'The state that the revision records, as the controller wrote it.',
  'authentication.SelfSubjectReview.status': 'The identity of the caller. Set by the server.',
  'authentication.SelfSubjectReviewStatus.userInfo': 'Name, UID, groups and other attributes of the caller.',
  'authentication.TokenRequest.spec': 'Audiences and lifetime of the token, and the object that it is bound to.',
  'authentication.TokenRequest.status': 'The token and its expiration time. Set by the server.',
  'authentication.TokenRequestSpec.boundObjectRef':
    'Pod, Secret or Node that the token is bound to. The token becomes invalid when that object is deleted.',
  'authentication.TokenReview.spec': 'The token to review.',
  'authentication.TokenReview.status':
    'Whether the token is valid, and the user that it authenticates. Set by the server.',
  'authentication.TokenReviewStatus.user': 'The user that the token authenticates.',
  'authorization.LocalSubjectAccessReview.spec':
    'The user and the request to check. The namespace must be that of the review.',
  'authorization.LocalSubjectAccessReview.status': 'Whether the request is allowed, and why. Set by the server.',
  'authorization.ResourceAttributes.fieldSelector': 'Limits the check to objects whose fields match.',
  'authorization.ResourceAttributes.labelSelector': 'Limits the check to objects whose labels match.',
  'authorization.SelfSubjectAccessReview.spec': 'The request to check. The user is the caller.',
  'authorization.SelfSubjectAccessReview.status': 'Whether the request is allowed, and why. Set by the server.',
  'authorization.SelfSubjectAccessReviewSpec.resourceAttributes':
    'A request for a resource. Cannot be combined with nonResourceAttributes.',
  'authorization.SelfSubjectAccessReviewSpec.nonResourceAttributes':
    'A request for a path that is not a resource. Cannot be combined with resourceAttributes.',
  'authorization.SelfSubjectRulesReview.spec': 'The namespace to check. The user is the caller.',
  'authorization.SelfSubjectRulesReview.status':
    'What the caller is allowed to do in the namespace. Set by the server.',
  'authorization.SubjectAccessReview.spec': 'The user and the request to check.',
  'authorization.SubjectAccessReview.status': 'Whether the request is allowed, and why. Set by the server.',
  'authorization.SubjectAccessReviewSpec.resourceAttributes':
    'A request for a resource. Cannot be combined with nonResourceAttributes.',
  'authorization.SubjectAccessReviewSpec.nonResourceAttributes':
    'A request for a path that is not a resource. Cannot be combined with resourceAttributes.',
  'autoscaling-v1.Scale.spec': 'The desired number of replicas.',
  'autoscaling-v1.Scale.status': 'The current number of replicas, and the selector of their pods. Read-only.',
  'autoscaling-v2.ExternalMetricSource.metric': 'Name and selector of the metric.',
  'autoscaling-v2.ExternalMetricStatus.metric': 'Name and selector of the measured metric.',
  'autoscaling-v2.ObjectMetricSource.metric': 'Name and selector of the metric.',
  'autoscaling-v2.ObjectMetricStatus.metric': 'Name and selector of the measured metric.',
  'autoscaling-v2.PodsMetricSource.metric': 'Name and selector of the metric.',
  'autoscaling-v2.PodsMetricStatus.metric': 'Name and selector of the measured metric.',
  'autoscaling-v2.MetricSpec.object': 'For type `Object`: a metric of one object, such as the requests to an Ingress.',
  'autoscaling-v2.MetricSpec.pods': 'For type `Pods`: a metric of each pod, averaged over all of them.',
  'autoscaling-v2.MetricSpec.resource': 'For type `Resource`: CPU or memory usage of the pods.',
  'autoscaling-v2.MetricSpec.containerResource':
    'For type `ContainerResource`: CPU or memory usage of one container in each pod.',
  'autoscaling-v2.MetricSpec.external': 'For type `External`: a metric of something outside the cluster.',
  'autoscaling-v2.MetricStatus.object': 'The measured value, for type `Object`.',
  'autoscaling-v2.MetricStatus.pods': 'The measured value, for type `Pods`.',
  'autoscaling-v2.MetricStatus.resource': 'The measured value, for type `Resource`.',
  'autoscaling-v2.MetricStatus.containerResource': 'The measured value, for type `ContainerResource`.',
  'autoscaling-v2.MetricStatus.external': 'The measured value, for type `External`.',
  'batch.JobStatus.uncountedTerminatedPods':
    'Terminated pods that the counters do not include yet. Each pod is counted once; then its finalizer is removed.',
  'batch.JobTemplateSpec.spec': 'The spec of the Jobs that are created.',
  'batch.PodFailurePolicyRule.onExitCodes':
    'Exit codes that the rule matches. Cannot be combined with onPodConditions.',
  'core.Binding.target': 'The node that the pod is assigned to.',
  'core.ContainerStatus.user': 'The user that the container was started as, if the node reports it.',
  'core.ContainerUser.linux': 'Numeric user and group IDs of a container on Linux.',
  'core.EnvFromSource.configMapRef': 'ConfigMap in the same namespace whose entries become environment variables.',
  'core.EnvFromSource.secretRef': 'Secret in the same namespace whose entries become environment variables.',
  'core.EnvVarSource.fieldRef':
    'A field of the pod, such as its name, namespace, IP address, node or one of its labels.',
  'core.EnvVarSource.resourceFieldRef': 'A resource limit or request of the container.',
  'core.EnvVarSource.configMapKeyRef': 'An entry of a ConfigMap in the same namespace.',
  'core.EnvVarSource.secretKeyRef': 'An entry of a Secret in the same namespace.',
  'core.NodeConfigSource.configMap': 'Deprecated: the ConfigMap with the configuration of the kubelet.',
  'core.NodeConfigStatus.assigned': 'Deprecated: the configuration that the node should use.',
  'core.NodeConfigStatus.active': 'Deprecated: the configuration that the node currently uses.',
  'core.NodeConfigStatus.lastKnownGood': 'Deprecated: the configuration that the node falls back to.',
  'core.NodeDaemonEndpoints.kubeletEndpoint': 'Port on which the kubelet listens.',
  'core.NodeRuntimeHandler.features': 'Features that the handler supports.',
  'core.NodeSpec.configSource': 'Deprecated: the source of the configuration of the kubelet.',
  'core.NodeStatus.daemonEndpoints': 'Ports of the daemons that run on the node.',
  'core.NodeStatus.config': 'Deprecated: the configuration that the kubelet uses.',
  'core.NodeStatus.features': 'Features that the container runtime of the node supports.',
  'core.PodTemplateSpec.spec': 'The spec of the pods that are created.',
  'core.PreferredSchedulingTerm.preference': 'Requirements that a node must meet to receive the weight.',
  'core.ProbeHandler.exec': 'Runs a command in the container. Exit code 0 means success.',
  'core.ProbeHandler.httpGet': 'Sends a GET request. A status code from 200 to 399 means success.',
  'core.ProbeHandler.tcpSocket': 'Opens a TCP connection. An established connection means success.',
  'core.ProbeHandler.grpc': 'Calls the gRPC health service. The status SERVING means success.',
  'core.WeightedPodAffinityTerm.podAffinityTerm':
    'The pods, and the topology domain around them, that the weight applies to.',
  'flowcontrol.FlowSchemaSpec.priorityLevelConfiguration': 'The priority level that matching requests are assigned to.',
  'flowcontrol.FlowSchemaSpec.distinguisherMethod':
    'How requests are divided into flows that share the priority level fairly: by user or by namespace. If absent, all requests are one flow.',
  'flowcontrol.LimitResponse.queuing': 'For type `Queue`: number and length of the queues.',
  'flowcontrol.LimitedPriorityLevelConfiguration.limitResponse':
    'Whether requests that cannot be served immediately are queued or refused.',
  'flowcontrol.PriorityLevelConfigurationSpec.limited':
    'For type `Limited`: how many requests are served at the same time.',
  'flowcontrol.PriorityLevelConfigurationSpec.exempt':
    'For type `Exempt`: how much of its share the level, which has no limit itself, lends to other levels.',
  'flowcontrol.Subject.user': 'For kind `User`: name of the user.',
  'flowcontrol.Subject.group': 'For kind `Group`: name of the group.',
  'flowcontrol.Subject.serviceAccount': 'For kind `ServiceAccount`: name and namespace of the service account.',
  'meta.DeleteOptions.preconditions': 'Conditions that the object must meet to be deleted.',
  'meta.Status.details': 'Details of the failure: the object, the causes, and when to retry.',
  'policy.Eviction.deleteOptions': 'Options for the deletion of the pod.',
}
