import { deepEqual } from '../../base/equal.ts'
import { newErrors } from '../core/new-errors.ts'
import { checkSelected, selectionOf } from '../core/pods/pod-template.ts'
import { type FieldError, invalidField, requiredField } from '../field-error.ts'
import { validateLabel } from '../names.ts'
import { validateLabelSelector } from '../selectors/label-selector-object.ts'
import type { Job, JobSpec } from '../types/batch-v1.ts'
import type { PodTemplateSpec } from '../types/core-v1.ts'
import { controllerLabel, generatedLabels, nameLabel, oldControllerLabel, oldNameLabel } from './job-selector.ts'
import { validateJobSpec } from './job-spec-validation.ts'

export function validateJob(job: Job): readonly FieldError[] {
  return [...validateGenerated(job), ...validateSpec(job.spec), ...validatePodNames(job)]
}

function validateSpec(spec: JobSpec): readonly FieldError[] {
  const { selector } = spec
  const selects = selectionOf(selector)
  return [
    ...validateJobSpec('spec', spec),
    ...(selector === undefined ? [requiredField('spec.selector')] : validateLabelSelector('spec.selector', selector)),
    ...(selects === undefined ? [] : checkSelected('spec.template', selects, spec.template)),
  ]
}

/** Nothing but the uid of the job keeps its pods apart from those of others. */
function validateGenerated(job: Job): readonly FieldError[] {
  const { selector, template, manualSelector } = job.spec
  if (manualSelector === true || selector === undefined) return []
  const expected = generatedLabels(job)
  const selects = selectionOf(selector)
  return [
    ...[oldControllerLabel, oldNameLabel, controllerLabel, nameLabel].flatMap((label) =>
      checkLabel(template, label, expected[label] ?? ''),
    ),
    ...(selects === undefined || selects(expected)
      ? []
      : [invalidField('spec.selector', selector, '`selector` not auto-generated')]),
  ]
}

function checkLabel({ metadata }: PodTemplateSpec, label: string, expected: string): readonly FieldError[] {
  const field = 'spec.template.metadata.labels'
  const actual = metadata.labels?.[label]
  if (actual === expected) return []
  return actual === undefined
    ? [requiredField(`${field}[${label}]`, `must be '${expected}'`)]
    : [invalidField(`${field}[${label}]`, metadata.labels, `must be '${expected}'`)]
}

/** Pods of an indexed job are named after it, followed by their index. */
function validatePodNames({ metadata, spec }: Job): readonly FieldError[] {
  const { completionMode, completions = 0 } = spec
  if (completionMode !== 'Indexed' || completions <= 0) return []
  const { name = '' } = metadata
  const longest = `${name}-${completions - 1}`
  if (validateLabel(longest).length === 0) return []
  return [invalidField('metadata.name', name, `will not able to create pod with invalid DNS label: ${longest}`)]
}

/** As in Kubernetes, causes in the spec are reported once for the object and once for the change. */
export function validateJobUpdate({ spec }: Job, { spec: old, status }: Job): readonly FieldError[] {
  const mayMove = old.suspend === true && status.startTime === undefined
  return [
    ...newErrors(validateSpec, spec, old),
    ...validateCompletions(spec, old),
    ...checkSame('selector', spec, old),
    ...validateTemplateUpdate(spec.template, old.template, mayMove),
    ...checkSame('completionMode', spec, old),
    ...checkSame('podFailurePolicy', spec, old),
    ...checkSame('backoffLimitPerIndex', spec, old),
    ...checkSame('managedBy', spec, old),
    ...checkSame('successPolicy', spec, old),
  ]
}

function checkSame(member: keyof JobSpec, spec: JobSpec, old: JobSpec): readonly FieldError[] {
  if (deepEqual(spec[member], old[member])) return []
  return [invalidField(`spec.${member}`, spec[member], 'field is immutable')]
}

function validateCompletions(spec: JobSpec, old: JobSpec): readonly FieldError[] {
  if (spec.completionMode !== 'Indexed') return checkSame('completions', spec, old)
  const { completions, parallelism } = spec
  if (completions === undefined || completions === old.completions || completions === parallelism) return []
  return [invalidField('spec.completions', completions, 'can only be modified in tandem with spec.parallelism')]
}

/** Scheduling constraints can change until the first pod is created. */
function validateTemplateUpdate(
  template: PodTemplateSpec,
  old: PodTemplateSpec,
  mayMove: boolean,
): readonly FieldError[] {
  const isSame = deepEqual(mayMove ? fixedPart(template) : template, mayMove ? fixedPart(old) : old)
  return isSame ? [] : [invalidField('spec.template', template, 'field is immutable')]
}

function fixedPart({ metadata, spec }: PodTemplateSpec): unknown {
  const { labels: _, annotations: __, ...rest } = metadata
  const { nodeSelector, tolerations, schedulingGates, affinity, ...fixed } = spec
  const { nodeAffinity, ...others } = affinity ?? {}
  return { metadata: rest, spec: fixed, affinity: others }
}
