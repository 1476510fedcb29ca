import { type FieldError, invalidField } from '../field-error.ts'
import type { Namespace } from '../types/core-v1.ts'
import { builtinKind } from './builtin-kind.ts'
import { ageColumn, column, nameColumn } from './columns.ts'
import { checkQualifiedName } from './field-checks.ts'

/** Kept until everything in the namespace is gone. */
const contentFinalizer = 'kubernetes'

const nameLabel = 'kubernetes.io/metadata.name'
const standardFinalizers: readonly string[] = [contentFinalizer, 'orphan', 'foregroundDeletion']

export const namespace = builtinKind<Namespace>({
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  shortNames: ['ns'],
  namespaced: false,
  nameRule: 'dns-label',
  hasStatus: true,
  deleteAnswer: 'object',
  withoutVerbs: ['deletecollection'],
  message: 'k8s.io.api.core.v1.Namespace',
  selectableFields: { 'status.phase': ({ status }) => status.phase ?? '' },
  partialUpdates: { finalize: { verbs: ['update'], apply: withSentFinalizers, validate: validateFinalizers } },
  columns: [nameColumn, column('Status', 'Phase of the namespace.', ({ status }) => status.phase ?? ''), ageColumn],
  strategy: {
    defaults: (object) => withPhase(withNameLabel(object)),
    prepareForCreate: (object) => ({
      ...withContentFinalizer(withNameLabel(object)),
      status: { phase: 'Active' },
    }),
    prepareForUpdate: (object, old) => ({ ...object, spec: withFinalizersOf(object, old) }),
    validate: ({ spec }, old) =>
      old === undefined ? (spec.finalizers ?? []).flatMap((each) => validateFinalizer('spec.finalizers', each)) : [],
    validateStatusUpdate: validatePhase,
    markDeleted: (object) => ({ ...object, status: { ...object.status, phase: 'Terminating' } }),
    holdsDeletion: ({ spec }) => (spec.finalizers ?? []).length > 0,
  },
})

/**
 * Selectors can only see labels, so the name is one too. A generated name is not known before the creation is prepared.
 */
function withNameLabel(object: Namespace): Namespace {
  const { name, labels } = object.metadata
  if (name === undefined || labels?.[nameLabel] === name) return object
  return { ...object, metadata: { ...object.metadata, labels: { ...labels, [nameLabel]: name } } }
}

function withPhase(object: Namespace): Namespace {
  return object.status.phase === undefined ? { ...object, status: { ...object.status, phase: 'Active' } } : object
}

function withContentFinalizer(object: Namespace): Namespace {
  const finalizers = object.spec.finalizers ?? []
  if (finalizers.includes(contentFinalizer)) return object
  return { ...object, spec: { ...object.spec, finalizers: [...finalizers, contentFinalizer] } }
}

/** Finalizers change only through `/finalize`. */
function withFinalizersOf({ spec: { finalizers: _, ...spec } }: Namespace, old: Namespace): Namespace['spec'] {
  return old.spec.finalizers === undefined ? spec : { ...spec, finalizers: old.spec.finalizers }
}

function withSentFinalizers(sent: Namespace, old: Namespace): Namespace {
  const { resourceVersion } = old.metadata
  const metadata = resourceVersion === undefined ? sent.metadata : { ...sent.metadata, resourceVersion }
  return { ...sent, metadata, spec: sent.spec ?? {}, status: old.status }
}

function validateFinalizers({ spec }: Namespace): readonly FieldError[] {
  return (spec.finalizers ?? []).flatMap((each, index) => validateFinalizer(`spec.finalizers[${index}]`, each))
}

function validateFinalizer(field: string, name: string): readonly FieldError[] {
  const errors = checkQualifiedName(field, name)
  if (name.includes('/') || standardFinalizers.includes(name)) return errors
  return [...errors, invalidField(field, name, 'name is neither a standard finalizer name nor is it fully qualified')]
}

function validatePhase({ metadata, status }: Namespace): readonly FieldError[] {
  const isDeleting = metadata.deletionTimestamp !== undefined
  const expected = isDeleting ? 'Terminating' : 'Active'
  if (status.phase === expected) return []
  const detail = `may only be '${expected}' if \`deletionTimestamp\` is ${isDeleting ? 'not empty' : 'empty'}`
  return [invalidField('status.Phase', status.phase ?? '', detail)]
}
