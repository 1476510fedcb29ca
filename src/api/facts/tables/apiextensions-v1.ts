/** k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1 */
export const apiextensionsV1 = `
CustomResourceColumnDefinition
  1 name: string! (required)
  2 type: string! (required)
  3 format: string
  4 description: string
  5 priority: int32
  6 jsonPath: string! (required)

CustomResourceConversion
  1 strategy: string! (required, go v1.ConversionStrategyType)
  2 webhook: WebhookConversion

CustomResourceDefinition
  1 metadata: meta.ObjectMeta
  2 spec: CustomResourceDefinitionSpec! (required)
  3 status: CustomResourceDefinitionStatus!

CustomResourceDefinitionCondition
  1 type: string! (required, go v1.CustomResourceDefinitionConditionType)
  2 status: string! (required, go v1.ConditionStatus)
  3 lastTransitionTime: meta.Time!
  4 reason: string
  5 message: string

CustomResourceDefinitionList
  1 metadata: meta.ListMeta
  2 items: CustomResourceDefinition[]!

CustomResourceDefinitionNames
  1 plural: string! (required)
  2 singular: string
  3 shortNames: string[]
  4 kind: string! (required)
  5 listKind: string
  6 categories: string[]

CustomResourceDefinitionSpec
  1 group: string! (required)
  3 names: CustomResourceDefinitionNames! (required)
  4 scope: string! (required, go v1.ResourceScope)
  7 versions: CustomResourceDefinitionVersion[]! (required)
  9 conversion: CustomResourceConversion
  10 preserveUnknownFields: bool

CustomResourceDefinitionStatus
  1 conditions: CustomResourceDefinitionCondition[]! (keyed by type)
  2 acceptedNames: CustomResourceDefinitionNames!
  3 storedVersions: string[]!

CustomResourceDefinitionVersion
  1 name: string! (required)
  2 served: bool! (required)
  3 storage: bool! (required)
  7 deprecated: bool
  8 deprecationWarning: string?
  4 schema: CustomResourceValidation
  5 subresources: CustomResourceSubresources
  6 additionalPrinterColumns: CustomResourceColumnDefinition[]
  9 selectableFields: SelectableField[]

CustomResourceSubresourceScale
  1 specReplicasPath: string! (required)
  2 statusReplicasPath: string! (required)
  3 labelSelectorPath: string?

CustomResourceSubresourceStatus

CustomResourceSubresources
  1 status: CustomResourceSubresourceStatus
  2 scale: CustomResourceSubresourceScale

CustomResourceValidation
  1 openAPIV3Schema: JSONSchemaProps

ExternalDocumentation
  1 description: string
  2 url: string

JSON as raw-json
  1 raw: bytes

JSONSchemaProps
  1 id: string
  2 schema: string (json $schema, go v1.JSONSchemaURL)
  3 ref: string? (json $ref)
  4 description: string
  5 type: string
  6 format: string
  7 title: string
  8 default: JSON
  9 maximum: double?
  10 exclusiveMaximum: bool
  11 minimum: double?
  12 exclusiveMinimum: bool
  13 maxLength: int64?
  14 minLength: int64?
  15 pattern: string
  16 maxItems: int64?
  17 minItems: int64?
  18 uniqueItems: bool
  19 multipleOf: double?
  20 enum: JSON[]
  21 maxProperties: int64?
  22 minProperties: int64?
  23 required: string[]
  24 items: JSONSchemaPropsOrArray
  25 allOf: JSONSchemaProps[]
  26 oneOf: JSONSchemaProps[]
  27 anyOf: JSONSchemaProps[]
  28 not: JSONSchemaProps
  29 properties: map JSONSchemaProps
  30 additionalProperties: JSONSchemaPropsOrBool
  31 patternProperties: map JSONSchemaProps
  32 dependencies: map JSONSchemaPropsOrStringArray? (go v1.JSONSchemaDependencies)
  33 additionalItems: JSONSchemaPropsOrBool
  34 definitions: map JSONSchemaProps (go v1.JSONSchemaDefinitions)
  35 externalDocs: ExternalDocumentation
  36 example: JSON
  37 nullable: bool
  38 xKubernetesPreserveUnknownFields: bool? (json x-kubernetes-preserve-unknown-fields)
  39 xKubernetesEmbeddedResource: bool (json x-kubernetes-embedded-resource)
  40 xKubernetesIntOrString: bool (json x-kubernetes-int-or-string)
  41 xKubernetesListMapKeys: string[] (json x-kubernetes-list-map-keys)
  42 xKubernetesListType: string? (json x-kubernetes-list-type)
  43 xKubernetesMapType: string? (json x-kubernetes-map-type)
  44 xKubernetesValidations: ValidationRule[] (json x-kubernetes-validations, merged by rule, go v1.ValidationRules)

JSONSchemaPropsOrArray as schema-or-list
  1 schema: JSONSchemaProps
  2 jSONSchemas: JSONSchemaProps[]

JSONSchemaPropsOrBool as schema-or-boolean
  1 allows: bool
  2 schema: JSONSchemaProps

JSONSchemaPropsOrStringArray as schema-or-strings
  1 schema: JSONSchemaProps
  2 property: string[]

SelectableField
  1 jsonPath: string! (required)

ServiceReference
  1 namespace: string! (required)
  2 name: string! (required)
  3 path: string?
  4 port: int32?

ValidationRule
  1 rule: string! (required)
  2 message: string
  3 messageExpression: string
  4 reason: string? (go v1.FieldValueErrorReason)
  5 fieldPath: string
  6 optionalOldSelf: bool?

WebhookClientConfig
  3 url: string?
  1 service: ServiceReference
  2 caBundle: bytes

WebhookConversion
  2 clientConfig: WebhookClientConfig
  3 conversionReviewVersions: string[]! (required)
`
