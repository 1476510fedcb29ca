import { deepEqual } from '../../base/equal.ts'
import { builtinKind } from '../core/builtin-kind.ts'
import { ageColumn, column, nameColumn, orNone } from '../core/columns.ts'
import { checkSubdomain } from '../core/field-checks.ts'
import { type FieldError, invalidField, notSupportedField, requiredField } from '../field-error.ts'
import { ownMetadata } from '../kind.ts'
import type { FlowSchema, FlowSchemaSpec } from '../types/flowcontrol-v1.ts'
import { validateConditionTypes } from './condition-types.ts'
import { fixedSchemas, ownSchemaSpec } from './own-schemas.ts'
import { validateFlowRule } from './rule-validation.ts'

const maxPrecedence = 10_000

/** Stored as data only: the server schedules requests by its own rules. */
export const flowSchema = builtinKind<FlowSchema>({
  group: 'flowcontrol.apiserver.k8s.io',
  version: 'v1',
  kind: 'FlowSchema',
  plural: 'flowschemas',
  namespaced: false,
  hasStatus: true,
  statusKeeps: ownMetadata,
  hasGeneration: true,
  message: 'k8s.io.api.flowcontrol.v1.FlowSchema',
  columns: [
    nameColumn,
    column(
      'PriorityLevel',
      'Priority level of the matching requests.',
      ({ spec }) => spec.priorityLevelConfiguration.name,
    ),
    column(
      'MatchingPrecedence',
      'Order of the schemas: the lowest match applies.',
      ({ spec }) => spec.matchingPrecedence,
    ),
    column('DistinguisherMethod', 'How requests are divided into flows.', ({ spec }) =>
      orNone(spec.distinguisherMethod?.type),
    ),
    ageColumn,
    column('MissingPL', 'Whether the priority level is missing.', ({ status }) => {
      return status.conditions?.find(({ type }) => type === 'Dangling')?.status ?? '?'
    }),
  ],
  rowOrder: (left, right) => left.spec.matchingPrecedence - right.spec.matchingPrecedence,
  strategy: {
    defaults: withPrecedence,
    validate: validateSchema,
    validateStatusUpdate: ({ status }) => validateConditionTypes(status.conditions ?? []),
  },
})

function withPrecedence(object: FlowSchema): FlowSchema {
  const { spec } = object
  return { ...object, spec: { ...spec, matchingPrecedence: spec.matchingPrecedence || 1000 } }
}

function validateSchema({ metadata, spec }: FlowSchema): readonly FieldError[] {
  const { matchingPrecedence: precedence, priorityLevelConfiguration: level, distinguisherMethod: method } = spec
  return [
    ...(precedence <= 0 ? [invalidField('spec.matchingPrecedence', precedence, 'must be a positive value')] : []),
    ...(precedence > maxPrecedence
      ? [invalidField('spec.matchingPrecedence', precedence, `must not be greater than ${maxPrecedence}`)]
      : []),
    ...(precedence === 1 && metadata.name !== 'exempt'
      ? [
          invalidField(
            'spec.matchingPrecedence',
            precedence,
            "only the schema named 'exempt' may have matchingPrecedence 1",
          ),
        ]
      : []),
    ...(method === undefined || method.type === 'ByNamespace' || method.type === 'ByUser'
      ? []
      : [notSupportedField('spec.distinguisherMethod.type', method, ['ByNamespace', 'ByUser'])]),
    ...(level.name === ''
      ? [requiredField('spec.priorityLevelConfiguration.name', 'must reference a priority level')]
      : checkSubdomain('spec.priorityLevelConfiguration.name', level.name)),
    ...(spec.rules ?? []).flatMap((rule, index) => validateFlowRule(`spec.rules[${index}]`, rule)),
    ...fixedErrors(metadata.name ?? '', spec),
  ]
}

function fixedErrors(name: string, spec: FlowSchemaSpec): readonly FieldError[] {
  if (!fixedSchemas.has(name) || deepEqual(spec, ownSchemaSpec(name))) return []
  return [invalidField('spec', spec, `spec of '${name}' must equal the fixed value`)]
}
