/** Descriptions of `spec` and `status` of kinds without a separate table. */
export const wantedAndSeenTexts: Readonly<Record<string, string>> = {
  'admissionregistration.ValidatingAdmissionPolicy.spec': 'Which requests are checked, and by which expressions.',
  'admissionregistration.ValidatingAdmissionPolicy.status':
    'What was found out about the types of the expressions. Set by the server.',
  'admissionregistration.ValidatingAdmissionPolicyBinding.spec':
    'Which policy holds where, with which parameters, and what follows if it is not met.',
  'autoscaling-v1.HorizontalPodAutoscaler.spec': 'Whose number of pods is set, between which limits, and by what.',
  'autoscaling-v1.HorizontalPodAutoscaler.status':
    'How many pods there are and should be, and what was measured. Set by the controller.',
  'autoscaling-v2.HorizontalPodAutoscaler.spec': 'Whose number of pods is set, between which limits, and by what.',
  'autoscaling-v2.HorizontalPodAutoscaler.status':
    'How many pods there are and should be, and what was measured. Set by the controller.',
  'certificates.CertificateSigningRequest.spec':
    'The certificate that is asked for, by whom, and who is to sign it. Cannot be changed.',
  'certificates.CertificateSigningRequest.status':
    'Whether the request was approved, and the certificate once it is signed.',
  'core.LimitRange.spec':
    'How much each pod, container or claim of the namespace may ask for, and what it gets by default.',
  'core.PersistentVolume.spec': 'How large the volume is, where it is, and who may use it how.',
  'core.PersistentVolume.status': 'In which phase of its life the volume is. Set by the server.',
  'core.PersistentVolumeClaim.spec': 'Which volume is wanted: how large, of which class, and used how.',
  'core.PersistentVolumeClaim.status': 'Whether the claim has a volume, and which size it has. Set by the server.',
  'core.ReplicationController.spec': 'Which pods are wanted, and how many.',
  'core.ReplicationController.status': 'How many pods there are. Set by the controller.',
  'core.ResourceQuota.spec': 'How much all objects of the namespace may take together.',
  'core.ResourceQuota.status': 'Which limits hold, and how much of them is taken. Set by the server.',
  'flowcontrol.FlowSchema.spec': 'Which requests belong to the schema, and to which priority level they go.',
  'flowcontrol.FlowSchema.status': 'Whether the priority level exists. Set by the server.',
  'flowcontrol.PriorityLevelConfiguration.spec':
    'How many requests of the level are served at a time, and which of them wait.',
  'flowcontrol.PriorityLevelConfiguration.status': 'What was found out about the level. Set by the server.',
  'networking.Ingress.spec': 'Which hosts and paths lead to which services, and with which certificates.',
  'networking.Ingress.status': 'The addresses by which the ingress is reached. Set by its controller.',
  'networking.IngressClass.spec': 'Which controller serves the ingresses of the class, and with which parameters.',
  'networking.NetworkPolicy.spec': 'Which pods the policy is about, and which traffic it lets in and out.',
  'policy.PodDisruptionBudget.spec': 'Which pods are protected from eviction, and how many of them may be missing.',
  'policy.PodDisruptionBudget.status':
    'How many pods are healthy, and how many may be evicted now. Set by the controller.',
  'storage.CSIDriver.spec': 'What the driver can do, and what it needs of the cluster.',
  'storage.CSINode.spec': 'The drivers of the node, and what they call it.',
  'storage.VolumeAttachment.spec': 'Which volume is wanted at which node, and who is to attach it.',
  'storage.VolumeAttachment.status': 'Whether the volume is attached, or why not. Set by the one who attaches it.',
  'apiextensions.CustomResourceDefinition.spec':
    'What the new kind is called, which versions it has, and how its objects look.',
  'apiextensions.CustomResourceDefinition.status':
    'Which names the kind was given, and whether it is served. Set by the server.',
  'apiregistration.APIService.spec': 'Which group and version the service serves, and how it is reached.',
  'apiregistration.APIService.status': 'Whether the service can be reached. Set by the server.',
}
