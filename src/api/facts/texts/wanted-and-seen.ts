/** Descriptions of `spec` and `status` of kinds without a separate table. */
export const wantedAndSeenTexts: Readonly<Record<string, string>> = {
  'admissionregistration.ValidatingAdmissionPolicy.spec': 'The requests to check, and the expressions that check them.',
  'admissionregistration.ValidatingAdmissionPolicy.status':
    'Results of the type checks of the expressions. Set by the server.',
  'admissionregistration.ValidatingAdmissionPolicyBinding.spec':
    'The policy to enforce, where it applies, its parameters, and the consequences of a violation.',
  'autoscaling-v1.HorizontalPodAutoscaler.spec':
    'The object to scale, the minimum and maximum number of pods, and the metrics that determine the number.',
  'autoscaling-v1.HorizontalPodAutoscaler.status':
    'Current and desired number of pods, and the measured metrics. Set by the controller.',
  'autoscaling-v2.HorizontalPodAutoscaler.spec':
    'The object to scale, the minimum and maximum number of pods, and the metrics that determine the number.',
  'autoscaling-v2.HorizontalPodAutoscaler.status':
    'Current and desired number of pods, and the measured metrics. Set by the controller.',
  'certificates.CertificateSigningRequest.spec': 'The requested certificate, the requester and the signer. Immutable.',
  'certificates.CertificateSigningRequest.status':
    'Whether the request is approved, and the certificate after it has been issued.',
  'core.LimitRange.spec': 'Limits and defaults of the resources of each pod, container or claim in the namespace.',
  'core.PersistentVolume.spec': 'Size, location and access modes of the volume.',
  'core.PersistentVolume.status': 'The lifecycle phase of the volume. Set by the server.',
  'core.PersistentVolumeClaim.spec': 'The requested volume: its size, storage class and access modes.',
  'core.PersistentVolumeClaim.status':
    'Whether the claim is bound to a volume, and the size of that volume. Set by the server.',
  'core.ReplicationController.spec': 'Template and desired number of the pods.',
  'core.ReplicationController.status': 'Current number of pods. Set by the controller.',
  'core.ResourceQuota.spec': 'Limits for the total resources of all objects in the namespace.',
  'core.ResourceQuota.status': 'The enforced limits, and how much of each is used. Set by the server.',
  'flowcontrol.FlowSchema.spec':
    'The requests that match the schema, and the priority level that they are assigned to.',
  'flowcontrol.FlowSchema.status': 'Whether the priority level exists. Set by the server.',
  'flowcontrol.PriorityLevelConfiguration.spec':
    'How many requests of the level are served at the same time, and which requests are queued.',
  'flowcontrol.PriorityLevelConfiguration.status': 'The observed state of the priority level. Set by the server.',
  'networking.Ingress.spec':
    'The hosts and paths to route, the services that they lead to, and the certificates to use.',
  'networking.Ingress.status': 'The addresses at which the ingress is reachable. Set by its controller.',
  'networking.IngressClass.spec': 'The controller that handles ingresses of this class, and its parameters.',
  'networking.NetworkPolicy.spec':
    'The pods that the policy applies to, and the incoming and outgoing traffic that it allows.',
  'policy.PodDisruptionBudget.spec': 'The pods to protect from eviction, and how many of them may be unavailable.',
  'policy.PodDisruptionBudget.status':
    'Number of healthy pods, and of pods that can currently be evicted. Set by the controller.',
  'storage.CSIDriver.spec': 'Capabilities of the driver, and what it requires from the cluster.',
  'storage.CSINode.spec': 'The drivers on the node, and the ID that each of them has given to it.',
  'storage.VolumeAttachment.spec': 'The volume, the node to attach it to, and the driver that does so.',
  'storage.VolumeAttachment.status': 'Whether the volume is attached, or the error. Set by the attacher.',
  'apiextensions.CustomResourceDefinition.spec': 'Names, versions and schemas of the new kind.',
  'apiextensions.CustomResourceDefinition.status':
    'The accepted names of the kind, and whether it is served. Set by the server.',
  'apiregistration.APIService.spec': 'The group and version that the service serves, and how to reach it.',
  'apiregistration.APIService.status': 'Whether the service is available. Set by the server.',
}
