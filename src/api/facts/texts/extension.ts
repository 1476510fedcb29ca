/** Descriptions of what people look up in webhooks, policies and definitions of custom resources. */
export const extensionTexts: Readonly<Record<string, string>> = {
  'admissionregistration.MutatingWebhook.clientConfig': 'Where the webhook is, and how it proves who it is.',
  'admissionregistration.MutatingWebhook.namespaceSelector':
    'Labels of the namespaces whose objects are sent. Objects of cluster-scoped kinds always are, except for namespaces, which go by their own labels.',
  'admissionregistration.MutatingWebhook.objectSelector':
    'Labels of the objects that are sent. It looks at the old and at the new object, and one that matches is enough.',
  'admissionregistration.ValidatingWebhook.clientConfig': 'Where the webhook is, and how it proves who it is.',
  'admissionregistration.ValidatingWebhook.namespaceSelector':
    'Labels of the namespaces whose objects are sent. Objects of cluster-scoped kinds always are, except for namespaces, which go by their own labels.',
  'admissionregistration.ValidatingWebhook.objectSelector':
    'Labels of the objects that are sent. It looks at the old and at the new object, and one that matches is enough.',
  'admissionregistration.MatchResources.namespaceSelector':
    'Labels of the namespaces whose objects are checked. Objects of cluster-scoped kinds always are, except for namespaces, which go by their own labels.',
  'admissionregistration.MatchResources.objectSelector':
    'Labels of the objects that are checked. It looks at the old and at the new object, and one that matches is enough.',
  'admissionregistration.ParamRef.selector': 'Labels of the objects that are parameters. Excludes name.',
  'admissionregistration.ValidatingAdmissionPolicySpec.paramKind':
    'Kind of the objects that give parameters. Without it, `params` is not known in expressions.',
  'admissionregistration.ValidatingAdmissionPolicySpec.matchConstraints':
    'Which requests the policy checks. Bindings can only narrow it.',
  'admissionregistration.ValidatingAdmissionPolicyBindingSpec.paramRef': 'The objects that give parameters.',
  'admissionregistration.ValidatingAdmissionPolicyBindingSpec.matchResources':
    'Which of the requests that the policy checks this binding is about.',
  'admissionregistration.WebhookClientConfig.service': 'The Service behind which the webhook runs. Excludes url.',

  'apiextensions.CustomResourceDefinition': 'Adds a kind to the API.',
  'apiextensions.CustomResourceDefinitionSpec.names': 'How the kind and its resource are called.',
  'apiextensions.CustomResourceDefinitionSpec.conversion': 'How objects are converted between versions.',
  'apiextensions.CustomResourceDefinitionStatus.acceptedNames':
    'Names under which the kind is served. They differ from those wanted where another definition has them.',
  'apiextensions.CustomResourceDefinitionVersion.schema': 'How objects of this version look.',
  'apiextensions.CustomResourceDefinitionVersion.subresources':
    'Whether objects of this version have `status` and `scale`.',
  'apiextensions.CustomResourceSubresources.status':
    'Set to `{}`, it makes `status` an endpoint of its own: other writes leave the status alone.',
  'apiextensions.CustomResourceSubresourceStatus': 'Has no fields: that it is there says that `status` is served.',
  'apiextensions.CustomResourceSubresources.scale':
    'Where `scale` finds the wanted and the observed number of replicas.',
  'apiextensions.CustomResourceValidation.openAPIV3Schema':
    'A structural schema in the form of OpenAPI v3: types, defaults, limits and rules of the fields.',
  'apiextensions.CustomResourceConversion.webhook': 'What to ask for conversions. For the strategy `Webhook` alone.',
  'apiextensions.WebhookConversion.clientConfig': 'Where the webhook is, and how it proves who it is.',
  'apiextensions.WebhookClientConfig.service': 'The Service behind which the webhook runs. Excludes url.',
  'apiregistration.APIServiceSpec.service':
    'The Service behind which the server of this group and version runs. Absent, this server serves it itself.',

  'meta.WatchEvent': 'One change that a watch reports.',
  'meta.WatchEvent.type': '`ADDED`, `MODIFIED`, `DELETED`, `BOOKMARK` or `ERROR`.',
  'meta.WatchEvent.object':
    'The object after the change, or before it was deleted; of a bookmark its resourceVersion alone; of an error a Status.',
}
