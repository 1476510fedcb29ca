import { type FieldError, forbiddenField, invalidField, requiredField } from '../field-error.ts'
import type { Kind, NameRule } from '../kind.ts'
import { validateLabel, validateName, validateNamePrefix } from '../names.ts'
import type { ObjectMeta } from '../object.ts'
import { validateAnnotations } from './annotations.ts'
import { validateFinalizers, validateStandardFinalizers } from './finalizers.ts'
import { validateLabels } from './labels.ts'
import { validateManagedFields } from './managed-fields.ts'
import { validateOwners } from './owners.ts'
import { takesAnyFinalizer } from './update-order.ts'
import { validateChange } from './validate-change.ts'

/** What metadata rules depend on. */
export type MetadataRules = Pick<Kind, 'namespaced' | 'nameRule' | 'flavor' | 'kind'>

/** Everything wrong with the metadata of a new object, whose name has been generated. */
export function validateMetadata(kind: MetadataRules, metadata: ObjectMeta): readonly FieldError[] {
  const errors: FieldError[] = []
  validateContent(kind, kind.nameRule, metadata, errors)
  if (!takesAnyFinalizer(kind)) validateStandardFinalizers(metadata.finalizers, errors)
  return errors
}

/** What is wrong with the metadata that an update would leave behind, by the step that finds it. */
export interface MetadataFindings {
  /** For all kinds. */
  readonly general: readonly FieldError[]
  /** For the kind at hand. */
  readonly change: readonly FieldError[]
  readonly own: readonly FieldError[]
}

const nothing: MetadataFindings = { general: [], change: [], own: [] }

/** Server-owned fields are restored already. The resourceVersion is not checked here. */
export function validateMetadataUpdate(kind: MetadataRules, metadata: ObjectMeta, old: ObjectMeta): MetadataFindings {
  const content: FieldError[] = []
  validateContent(kind, 'path-segment', metadata, content)
  const change: FieldError[] = []
  validateChange(metadata, old, change)
  const standard: FieldError[] = []
  if (!takesAnyFinalizer(kind)) validateStandardFinalizers(metadata.finalizers, standard)
  const prefix = kind.flavor === 'builtin' ? prefixErrors(kind.nameRule, metadata) : []
  if (content.length + change.length + standard.length + prefix.length === 0) return nothing
  const step = [...change, ...content.filter(isCheckedWithChanges)]
  return {
    general: [...content, ...step],
    change: [...step, ...standard],
    own: [...prefix, ...content.filter(({ field }) => field !== 'metadata.generateName'), ...standard],
  }
}

const checkedWithChanges = [
  'metadata.labels',
  'metadata.annotations',
  'metadata.ownerReferences',
  'metadata.managedFields',
]

function isCheckedWithChanges({ field }: FieldError): boolean {
  return checkedWithChanges.some((prefix) => field.startsWith(prefix))
}

function validateContent(kind: MetadataRules, nameRule: NameRule, metadata: ObjectMeta, errors: FieldError[]): void {
  validateNames(nameRule, metadata, errors)
  validateNamespace(kind, metadata.namespace ?? '', errors)
  validateGeneration(metadata.generation, errors)
  validateLabels('metadata.labels', metadata.labels, errors)
  validateAnnotations('metadata.annotations', metadata.annotations, errors)
  validateOwners(metadata.ownerReferences, errors)
  validateFinalizers(metadata.finalizers, errors)
  validateManagedFields(metadata.managedFields, errors)
}

function validateNames(rule: NameRule, { name = '', generateName = '' }: ObjectMeta, errors: FieldError[]): void {
  errors.push(...prefixErrors(rule, { generateName }))
  if (name === '') {
    errors.push(requiredField('metadata.name', 'name or generateName is required'))
    return
  }
  for (const problem of validateName(rule, name)) errors.push(invalidField('metadata.name', name, problem))
}

function prefixErrors(rule: NameRule, { generateName = '' }: ObjectMeta): readonly FieldError[] {
  if (generateName === '') return []
  return validateNamePrefix(rule, generateName).map((each) => invalidField('metadata.generateName', generateName, each))
}

function validateNamespace(kind: MetadataRules, namespace: string, errors: FieldError[]): void {
  if (!kind.namespaced) {
    if (namespace !== '') errors.push(forbiddenField('metadata.namespace', 'not allowed on this type'))
    return
  }
  if (namespace === '') {
    errors.push(requiredField('metadata.namespace'))
    return
  }
  for (const problem of validateLabel(namespace)) errors.push(invalidField('metadata.namespace', namespace, problem))
}

function validateGeneration(generation: number | undefined, errors: FieldError[]): void {
  if (generation === undefined || generation >= 0) return
  errors.push(invalidField('metadata.generation', generation, 'must be greater than or equal to 0'))
}
