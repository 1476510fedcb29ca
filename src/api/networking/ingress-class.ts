import { builtinKind } from '../core/builtin-kind.ts'
import { ageColumn, column, nameColumn, orNone } from '../core/columns.ts'
import { checkDomainPrefixedPath, checkLabelName } from '../core/field-checks.ts'
import {
  type FieldError,
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
  tooLongField,
} from '../field-error.ts'
import type { IngressClass, IngressClassParametersReference } from '../types/networking-v1.ts'
import { utf8Length } from '../utf8-length.ts'
import { validateTypedReference } from './typed-reference.ts'

const maxControllerBytes = 250
const scopes = ['Cluster', 'Namespace']

export const ingressClass = builtinKind<IngressClass>({
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'IngressClass',
  plural: 'ingressclasses',
  namespaced: false,
  hasGeneration: true,
  message: 'k8s.io.api.networking.v1.IngressClass',
  columns: [
    nameColumn,
    column('Controller', 'Controller that serves ingresses of this class.', ({ spec }) => spec.controller ?? ''),
    column('Parameters', 'Object with additional settings.', ({ spec }) => orNone(parametersText(spec.parameters))),
    ageColumn,
  ],
  strategy: {
    defaults: withScope,
    validate: (object, old) => [...(old === undefined ? [] : changeErrors(object, old)), ...validateClass(object)],
  },
})

/** Reported before everything else. */
function changeErrors(after: IngressClass, before: IngressClass): readonly FieldError[] {
  const { controller = '' } = after.spec
  if (controller === (before.spec.controller ?? '')) return []
  return [invalidField('spec.controller', controller, 'field is immutable')]
}

function withScope(object: IngressClass): IngressClass {
  const { parameters } = object.spec
  if (parameters === undefined) return object
  return { ...object, spec: { ...object.spec, parameters: { ...parameters, scope: parameters.scope ?? 'Cluster' } } }
}

function parametersText(parameters: IngressClassParametersReference | undefined): string | undefined {
  if (parameters === undefined) return undefined
  const { apiGroup, kind, name } = parameters
  return apiGroup === undefined ? `${kind}/${name}` : `${kind}.${apiGroup}/${name}`
}

function validateClass({ spec }: IngressClass): readonly FieldError[] {
  const { controller = '', parameters } = spec
  return [
    ...(utf8Length(controller) > maxControllerBytes ? [tooLongField('spec.controller', maxControllerBytes)] : []),
    ...checkDomainPrefixedPath('spec.controller', controller),
    ...(parameters === undefined ? [] : validateParameters('spec.parameters', parameters)),
  ]
}

function validateParameters(field: string, parameters: IngressClassParametersReference): readonly FieldError[] {
  const { scope = '', namespace } = parameters
  return [
    ...validateTypedReference(field, parameters),
    ...(scopes.includes(scope) ? [] : [notSupportedField(`${field}.scope`, scope, scopes)]),
    ...validateNamespace(`${field}.namespace`, namespace, scope),
  ]
}

function validateNamespace(field: string, namespace: string | undefined, scope: string): readonly FieldError[] {
  if (scope === 'Namespace') {
    return namespace === undefined
      ? [requiredField(field, "`parameters.scope` is set to 'Namespace'")]
      : checkLabelName(field, namespace)
  }
  return scope === 'Cluster' && namespace !== undefined
    ? [forbiddenField(field, "`parameters.scope` is set to 'Cluster'")]
    : []
}
