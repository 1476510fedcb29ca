import { type FieldError, requiredField } from '../field-error.ts'
import type { PodTemplateSpec, ReplicationController, ReplicationControllerSpec } from '../types/core-v1.ts'
import { builtinKind } from './builtin-kind.ts'
import { ageColumn, labelsText, nameColumn, wideColumn } from './columns.ts'
import { checkNotNegative } from './field-checks.ts'
import {
  changedSpecWarnings,
  checkSelected,
  containerColumns,
  validateLastingTemplate,
  withTemplateDefaults,
} from './pods/pod-template.ts'
import { nameWarnings } from './pods/pod-warnings.ts'
import { replicaColumns, validateReplicaStatus } from './replica-status.ts'

type Labels = Readonly<Record<string, string>>

export const replicationController = builtinKind<ReplicationController>({
  group: '',
  version: 'v1',
  kind: 'ReplicationController',
  plural: 'replicationcontrollers',
  shortNames: ['rc'],
  categories: ['all'],
  namespaced: true,
  hasStatus: true,
  hasGeneration: true,
  keepsTemplate: true,
  orphansByDefault: true,
  message: 'k8s.io.api.core.v1.ReplicationController',
  scale: { selector: ({ spec }) => selectorText(spec.selector) },
  selectableFields: { 'status.replicas': ({ status }) => String(status.replicas) },
  columns: [
    nameColumn,
    ...replicaColumns<ReplicationController>(),
    ageColumn,
    ...containerColumns(({ spec }: ReplicationController) => spec.template),
    wideColumn('Selector', 'Selector of its pods.', ({ spec }) => labelsText(spec.selector)),
  ],
  strategy: {
    defaults: withDefaults,
    validate: validateController,
    validateStatusUpdate: ({ status }) => validateReplicaStatus(status),
    warnings: controllerWarnings,
  },
})

/** Kubernetes takes the former template for the new one when it warns about a change. */
function controllerWarnings({ metadata, spec }: ReplicationController, old?: ReplicationController): readonly string[] {
  const template = (old?.spec ?? spec).template
  return [
    ...(old === undefined ? nameWarnings(metadata) : []),
    ...(template === undefined ? [] : changedSpecWarnings('spec.template', template, spec, old?.spec)),
  ]
}

function validateController({ spec }: ReplicationController): readonly FieldError[] {
  return [
    ...checkNotNegative('spec.minReadySeconds', spec.minReadySeconds),
    ...(spec.selector === undefined ? [requiredField('spec.selector')] : []),
    ...checkNotNegative('spec.replicas', spec.replicas),
    ...validateTemplateOf(spec),
  ]
}

/** The labels of the template are the defaults. */
function withDefaults(object: ReplicationController): ReplicationController {
  const { replicas = 1, template } = object.spec
  if (template === undefined) return { ...object, spec: { ...object.spec, replicas } }
  const labels = object.metadata.labels ?? template.metadata.labels
  const selector = object.spec.selector ?? template.metadata.labels
  return {
    ...object,
    metadata: labels === undefined ? object.metadata : { ...object.metadata, labels },
    spec: { ...withSelector(object.spec, selector), replicas, template: withTemplateDefaults(template) },
  }
}

function withSelector(spec: ReplicationControllerSpec, selector: Labels | undefined): ReplicationControllerSpec {
  return selector === undefined ? spec : { ...spec, selector }
}

function validateTemplateOf({ selector = {}, template }: ReplicationControllerSpec): readonly FieldError[] {
  if (template === undefined) return [requiredField('spec.template')]
  return [
    ...checkSelected('spec.template', (labels) => holdsAll(labels, selector), template),
    ...validateLastingTemplate('spec.template', template, 'ReplicationController'),
  ]
}

function holdsAll(labels: NonNullable<PodTemplateSpec['metadata']['labels']>, selector: Labels): boolean {
  return Object.entries(selector).every(([key, value]) => labels[key] === value)
}

function selectorText(selector: Labels = {}): string {
  return Object.entries(selector)
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join(',')
}
