/** Descriptions of the fields of a schema of a custom resource. */
export const jsonSchemaTexts: Readonly<Record<string, string>> = {
  'apiextensions.ExternalDocumentation.description': 'Description of the documentation.',
  'apiextensions.ExternalDocumentation.url': 'URL of the documentation.',

  'apiextensions.JSONSchemaProps.$ref': 'Not supported: a schema cannot refer to another.',
  'apiextensions.JSONSchemaProps.$schema': 'URL of the JSON Schema version that the schema is written in.',
  'apiextensions.JSONSchemaProps.allOf': 'Schemas that the value must all match.',
  'apiextensions.JSONSchemaProps.anyOf': 'Schemas of which the value must match at least one.',
  'apiextensions.JSONSchemaProps.definitions': 'Not supported: a schema cannot refer to another.',
  'apiextensions.JSONSchemaProps.dependencies': 'Not supported. Use x-kubernetes-validations instead.',
  'apiextensions.JSONSchemaProps.description': 'Description of the value, which `kubectl explain` shows.',
  'apiextensions.JSONSchemaProps.enum': 'The allowed values.',
  'apiextensions.JSONSchemaProps.exclusiveMaximum': 'If true, the value must be strictly less than maximum.',
  'apiextensions.JSONSchemaProps.exclusiveMinimum': 'If true, the value must be strictly greater than minimum.',
  'apiextensions.JSONSchemaProps.id': 'Not supported: a schema cannot refer to another.',
  'apiextensions.JSONSchemaProps.maxItems': 'The largest allowed number of items in a list.',
  'apiextensions.JSONSchemaProps.maxLength': 'The largest allowed number of characters in a string.',
  'apiextensions.JSONSchemaProps.maxProperties': 'The largest allowed number of fields in an object.',
  'apiextensions.JSONSchemaProps.maximum': 'The largest allowed number.',
  'apiextensions.JSONSchemaProps.minItems': 'The smallest allowed number of items in a list.',
  'apiextensions.JSONSchemaProps.minLength': 'The smallest allowed number of characters in a string.',
  'apiextensions.JSONSchemaProps.minProperties': 'The smallest allowed number of fields in an object.',
  'apiextensions.JSONSchemaProps.minimum': 'The smallest allowed number.',
  'apiextensions.JSONSchemaProps.multipleOf': 'A number that the value must be a multiple of.',
  'apiextensions.JSONSchemaProps.nullable':
    'Whether null is allowed. If not, null values are dropped before defaults are applied, or refused.',
  'apiextensions.JSONSchemaProps.oneOf': 'Schemas of which the value must match exactly one.',
  'apiextensions.JSONSchemaProps.pattern': 'Regular expression (RE2) that a part of the string must match.',
  'apiextensions.JSONSchemaProps.patternProperties': 'Not supported. Use properties or additionalProperties instead.',
  'apiextensions.JSONSchemaProps.properties': 'Schemas of the fields of an object, by name.',
  'apiextensions.JSONSchemaProps.required': 'Names of the fields that an object must have.',
  'apiextensions.JSONSchemaProps.title': 'A short title for the value.',
  'apiextensions.JSONSchemaProps.type': 'Type of the value: array, boolean, integer, number, object or string.',
  'apiextensions.JSONSchemaProps.uniqueItems': 'Must be false. Use x-kubernetes-list-type: set instead.',
  'apiextensions.JSONSchemaProps.x-kubernetes-embedded-resource':
    'Whether the value is a complete Kubernetes object, with apiVersion, kind and metadata.',
  'apiextensions.JSONSchemaProps.x-kubernetes-int-or-string':
    'Whether the value is an integer or a string. Cannot be combined with type.',
  'apiextensions.JSONSchemaProps.x-kubernetes-list-map-keys':
    'Names of the fields that identify an item in a list of type map.',
  'apiextensions.JSONSchemaProps.x-kubernetes-list-type':
    'How a list is merged: `atomic` replaces it as a whole, `set` merges by value, `map` merges by the fields in x-kubernetes-list-map-keys.',
  'apiextensions.JSONSchemaProps.x-kubernetes-map-type':
    'How an object is merged: `granular` merges field by field, `atomic` replaces it as a whole.',
  'apiextensions.JSONSchemaProps.x-kubernetes-preserve-unknown-fields':
    'Whether fields that the schema does not specify are kept. Otherwise they are dropped.',
  'apiextensions.JSONSchemaProps.x-kubernetes-validations': 'CEL rules that the value must satisfy.',
}
