/**
 * Where the JSON form of a message differs from its protobuf form. The schemas and the protobuf decoder both read these
 * tables, so that a member has the same name whichever way it came.
 */

const core = 'k8s.io.api.core.v1'
const meta = 'k8s.io.apimachinery.pkg.apis.meta.v1'
const apiextensions = 'k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1'

/** `message.field` of nested messages whose members stand in JSON beside those of the message around them. */
export const inlinedFields: ReadonlySet<string> = new Set([
  `${core}.ConfigMapEnvSource.localObjectReference`,
  `${core}.ConfigMapKeySelector.localObjectReference`,
  `${core}.ConfigMapProjection.localObjectReference`,
  `${core}.ConfigMapVolumeSource.localObjectReference`,
  `${core}.EphemeralContainer.ephemeralContainerCommon`,
  `${core}.Probe.handler`,
  `${core}.SecretEnvSource.localObjectReference`,
  `${core}.SecretKeySelector.localObjectReference`,
  `${core}.SecretProjection.localObjectReference`,
  `${core}.Volume.volumeSource`,
])

/** `message.field` of fields that JSON calls otherwise. */
export const renamedFields: ReadonlyMap<string, string> = new Map([
  ['k8s.io.api.authentication.v1.BoundObjectReference.uID', 'uid'],
  [`${apiextensions}.JSONSchemaProps.schema`, '$schema'],
  [`${apiextensions}.JSONSchemaProps.ref`, '$ref'],
  [`${apiextensions}.JSONSchemaProps.xKubernetesEmbeddedResource`, 'x-kubernetes-embedded-resource'],
  [`${apiextensions}.JSONSchemaProps.xKubernetesIntOrString`, 'x-kubernetes-int-or-string'],
  [`${apiextensions}.JSONSchemaProps.xKubernetesListMapKeys`, 'x-kubernetes-list-map-keys'],
  [`${apiextensions}.JSONSchemaProps.xKubernetesListType`, 'x-kubernetes-list-type'],
  [`${apiextensions}.JSONSchemaProps.xKubernetesMapType`, 'x-kubernetes-map-type'],
  [`${apiextensions}.JSONSchemaProps.xKubernetesPreserveUnknownFields`, 'x-kubernetes-preserve-unknown-fields'],
  [`${apiextensions}.JSONSchemaProps.xKubernetesValidations`, 'x-kubernetes-validations'],
])

export type JsonForm =
  /** One list field, which in JSON is the list itself. */
  | 'bare-list'
  /** `raw` bytes that hold JSON, which stands there as it is. */
  | 'raw-json'
  | 'time'
  | 'micro-time'
  | 'quantity'
  | 'int-or-string'
  /** A schema, or a list of schemas under `jSONSchemas`. */
  | 'schema-or-list'
  /** A schema, or the boolean under `allows`. */
  | 'schema-or-boolean'
  /** A schema, or the strings under `property`. */
  | 'schema-or-strings'

/** Messages that are no object in JSON. */
export const specialForms: ReadonlyMap<string, JsonForm> = new Map<string, JsonForm>([
  ['k8s.io.api.authentication.v1.ExtraValue', 'bare-list'],
  ['k8s.io.api.authorization.v1.ExtraValue', 'bare-list'],
  [`${meta}.Verbs`, 'bare-list'],
  [`${meta}.FieldsV1`, 'raw-json'],
  ['k8s.io.apimachinery.pkg.runtime.RawExtension', 'raw-json'],
  [`${apiextensions}.JSON`, 'raw-json'],
  [`${meta}.Time`, 'time'],
  [`${meta}.MicroTime`, 'micro-time'],
  ['k8s.io.apimachinery.pkg.api.resource.Quantity', 'quantity'],
  ['k8s.io.apimachinery.pkg.util.intstr.IntOrString', 'int-or-string'],
  [`${apiextensions}.JSONSchemaPropsOrArray`, 'schema-or-list'],
  [`${apiextensions}.JSONSchemaPropsOrBool`, 'schema-or-boolean'],
  [`${apiextensions}.JSONSchemaPropsOrStringArray`, 'schema-or-strings'],
])

export function isInlined(message: string, field: string): boolean {
  return inlinedFields.has(`${message}.${field}`)
}

export function jsonName(message: string, field: string): string {
  return renamedFields.get(`${message}.${field}`) ?? field
}
