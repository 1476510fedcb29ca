/** Descriptions of frequently used fields of webhooks, policies and definitions of custom resources. */
export const extensionTexts: Readonly<Record<string, string>> = {
  'admissionregistration.MutatingWebhook.clientConfig':
    'Address of the webhook, and the certificate authority that it is verified with.',
  'admissionregistration.MutatingWebhook.namespaceSelector':
    'Selects, by label, the namespaces whose objects are sent. Cluster-scoped objects are always sent, except for namespaces, which are selected by their own labels.',
  'admissionregistration.MutatingWebhook.objectSelector':
    'Selects the objects that are sent by their labels. An object is sent if either its old or its new version matches.',
  'admissionregistration.ValidatingWebhook.clientConfig':
    'Address of the webhook, and the certificate authority that it is verified with.',
  'admissionregistration.ValidatingWebhook.namespaceSelector':
    'Selects, by label, the namespaces whose objects are sent. Cluster-scoped objects are always sent, except for namespaces, which are selected by their own labels.',
  'admissionregistration.ValidatingWebhook.objectSelector':
    'Selects the objects that are sent by their labels. An object is sent if either its old or its new version matches.',
  'admissionregistration.MatchResources.namespaceSelector':
    'Selects, by label, the namespaces whose objects are checked. Cluster-scoped objects are always checked, except for namespaces, which are selected by their own labels.',
  'admissionregistration.MatchResources.objectSelector':
    'Selects the objects that are checked by their labels. An object is checked if either its old or its new version matches.',
  'admissionregistration.ParamRef.selector':
    'Selects the parameter objects by their labels. Cannot be combined with name.',
  'admissionregistration.ValidatingAdmissionPolicySpec.paramKind':
    'Kind of the parameter objects. If absent, expressions cannot use `params`.',
  'admissionregistration.ValidatingAdmissionPolicySpec.matchConstraints':
    'The requests that the policy checks. Bindings can only narrow the selection.',
  'admissionregistration.ValidatingAdmissionPolicyBindingSpec.paramRef': 'The parameter objects.',
  'admissionregistration.ValidatingAdmissionPolicyBindingSpec.matchResources':
    'Narrows the requests that the policy checks to those that this binding applies to.',
  'admissionregistration.WebhookClientConfig.service':
    'The Service that the webhook runs behind. Cannot be combined with url.',

  'apiextensions.CustomResourceDefinition': 'Adds a kind to the API.',
  'apiextensions.CustomResourceDefinitionSpec.names': 'Names of the kind and its resource.',
  'apiextensions.CustomResourceDefinitionSpec.conversion': 'How objects are converted between versions.',
  'apiextensions.CustomResourceDefinitionStatus.acceptedNames':
    'Names under which the kind is served. They differ from those in the spec if another definition already uses those.',
  'apiextensions.CustomResourceDefinitionVersion.schema': 'Schema of the objects of this version.',
  'apiextensions.CustomResourceDefinitionVersion.subresources':
    'The subresources of this version: `status` and `scale`.',
  'apiextensions.CustomResourceSubresources.status':
    'If set to `{}`, enables the `status` subresource: all other writes then ignore changes of the status.',
  'apiextensions.CustomResourceSubresourceStatus': 'Has no fields: its presence enables the `status` subresource.',
  'apiextensions.CustomResourceSubresources.scale':
    'Paths of the desired and the observed number of replicas, for the `scale` subresource.',
  'apiextensions.CustomResourceValidation.openAPIV3Schema':
    'A structural OpenAPI v3 schema: types, defaults, limits and rules of the fields.',
  'apiextensions.CustomResourceConversion.webhook': 'The webhook that converts objects. Only for strategy `Webhook`.',
  'apiextensions.WebhookConversion.clientConfig':
    'Address of the webhook, and the certificate authority that it is verified with.',
  'apiextensions.WebhookClientConfig.service': 'The Service that the webhook runs behind. Cannot be combined with url.',
  'apiregistration.APIServiceSpec.service':
    'The Service that the server of this group and version runs behind. If absent, this API server serves the group and version itself.',

  'meta.WatchEvent': 'One change that a watch reports.',
  'meta.WatchEvent.type': '`ADDED`, `MODIFIED`, `DELETED`, `BOOKMARK` or `ERROR`.',
  'meta.WatchEvent.object':
    'The object after the change, or its last state if it was deleted. A bookmark carries only a resourceVersion; an error carries a Status.',
}
