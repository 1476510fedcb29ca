/** Descriptions of what a schema of a custom resource may say. */
export const jsonSchemaTexts: Readonly<Record<string, string>> = {
  'apiextensions.ExternalDocumentation.description': 'What is found there.',
  'apiextensions.ExternalDocumentation.url': 'Where the documentation is.',

  'apiextensions.JSONSchemaProps.$ref': 'Not allowed: schemas cannot refer to others.',
  'apiextensions.JSONSchemaProps.$schema': 'URL of the version of JSON Schema that the schema is written in.',
  'apiextensions.JSONSchemaProps.allOf': 'Schemas all of which the value must match.',
  'apiextensions.JSONSchemaProps.anyOf': 'Schemas of which the value must match at least one.',
  'apiextensions.JSONSchemaProps.definitions': 'Not allowed: schemas cannot refer to others.',
  'apiextensions.JSONSchemaProps.dependencies': 'Not allowed. Use x-kubernetes-validations instead.',
  'apiextensions.JSONSchemaProps.description': 'What the value is for. `kubectl explain` shows it.',
  'apiextensions.JSONSchemaProps.enum': 'The values that are allowed.',
  'apiextensions.JSONSchemaProps.exclusiveMaximum': 'Whether the value must be less than maximum, and not equal to it.',
  'apiextensions.JSONSchemaProps.exclusiveMinimum':
    'Whether the value must be greater than minimum, and not equal to it.',
  'apiextensions.JSONSchemaProps.id': 'Not allowed: schemas cannot refer to others.',
  'apiextensions.JSONSchemaProps.maxItems': 'The most items that a list may have.',
  'apiextensions.JSONSchemaProps.maxLength': 'The most characters that a string may have.',
  'apiextensions.JSONSchemaProps.maxProperties': 'The most members that an object may have.',
  'apiextensions.JSONSchemaProps.maximum': 'The greatest number that is allowed.',
  'apiextensions.JSONSchemaProps.minItems': 'The fewest items that a list may have.',
  'apiextensions.JSONSchemaProps.minLength': 'The fewest characters that a string may have.',
  'apiextensions.JSONSchemaProps.minProperties': 'The fewest members that an object may have.',
  'apiextensions.JSONSchemaProps.minimum': 'The least number that is allowed.',
  'apiextensions.JSONSchemaProps.multipleOf': 'The number of which the value must be a multiple.',
  'apiextensions.JSONSchemaProps.nullable':
    'Whether null is allowed. Elsewhere null is dropped before defaults are filled in, or refused.',
  'apiextensions.JSONSchemaProps.oneOf': 'Schemas of which the value must match exactly one.',
  'apiextensions.JSONSchemaProps.pattern': 'Regular expression (RE2) that a string must match somewhere.',
  'apiextensions.JSONSchemaProps.patternProperties': 'Not allowed. Use properties or additionalProperties instead.',
  'apiextensions.JSONSchemaProps.properties': 'Schemas of the members of an object, by name.',
  'apiextensions.JSONSchemaProps.required': 'Names of members that an object must have.',
  'apiextensions.JSONSchemaProps.title': 'A short name for the value.',
  'apiextensions.JSONSchemaProps.type': 'Type of the value: array, boolean, integer, number, object or string.',
  'apiextensions.JSONSchemaProps.uniqueItems': 'Must be false. Use x-kubernetes-list-type: set instead.',
  'apiextensions.JSONSchemaProps.x-kubernetes-embedded-resource':
    'Whether the object is a whole Kubernetes object, with apiVersion, kind and metadata.',
  'apiextensions.JSONSchemaProps.x-kubernetes-int-or-string':
    'Whether the value is an integer or a string. Excludes type.',
  'apiextensions.JSONSchemaProps.x-kubernetes-list-map-keys':
    'Names of the members that identify an item of a list of type map.',
  'apiextensions.JSONSchemaProps.x-kubernetes-list-type':
    'How a list is merged: atomic as a whole, set by value, map by the members that x-kubernetes-list-map-keys names.',
  'apiextensions.JSONSchemaProps.x-kubernetes-map-type':
    'How an object is merged: granular member by member, atomic as a whole.',
  'apiextensions.JSONSchemaProps.x-kubernetes-preserve-unknown-fields':
    'Whether members that the schema does not name are kept. Otherwise they are dropped.',
  'apiextensions.JSONSchemaProps.x-kubernetes-validations': 'Rules in CEL that the value must follow.',
}
