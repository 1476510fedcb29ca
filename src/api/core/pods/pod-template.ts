import { deepEqual } from '../../../base/equal.ts'
import { allErrors, type FieldError, forbiddenField, notSupportedField } from '../../field-error.ts'
import { goStringMap } from '../../human/go-syntax.ts'
import { validateAnnotations } from '../../metadata/annotations.ts'
import { validateLabels } from '../../metadata/labels.ts'
import type { KubeObject } from '../../object.ts'
import { labelSelectorFrom, validateLabelSelector } from '../../selectors/label-selector-object.ts'
import type { PodTemplateSpec } from '../../types/core-v1.ts'
import type { LabelSelector } from '../../types/meta-v1.ts'
import type { TypedColumn } from '../builtin-kind.ts'
import { wideColumn } from '../columns.ts'
import { invalidPrinted } from '../printed-errors.ts'
import { withoutInitResizing } from './init-resizing.ts'
import { validatePodAnnotations, validateRepeatedProfiles } from './pod-annotations.ts'
import { withPodSpecDefaults } from './pod-defaults.ts'
import { validatePodSpec } from './pod-validation.ts'
import { templateTexts } from './pod-warnings.ts'
import { withoutDisabled } from './switched-off.ts'

/** What all kinds that create pods from a template share. */

export function withTemplateDefaults(template: PodTemplateSpec): PodTemplateSpec {
  return { ...template, spec: withPodSpecDefaults(withoutDisabled(withoutInitResizing(template.spec))) }
}

export function validateTemplate(field: string, template: PodTemplateSpec): readonly FieldError[] {
  const { metadata, spec } = template
  return allErrors(
    validateTemplateMetadata(field, template),
    validatePodSpec(`${field}.spec`, spec),
    validateRepeatedProfiles(`${field}.spec`, metadata.annotations, spec),
    spec.ephemeralContainers === undefined
      ? []
      : [forbiddenField(`${field}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template')],
  )
}

/** As in Kubernetes, the paths omit `metadata`. */
export function validateTemplateMetadata(field: string, { metadata, spec }: PodTemplateSpec): readonly FieldError[] {
  const errors: FieldError[] = []
  validateLabels(`${field}.labels`, metadata.labels, errors)
  validateAnnotations(`${field}.annotations`, metadata.annotations, errors)
  return allErrors(errors, validatePodAnnotations(`${field}.annotations`, metadata.annotations, spec))
}

/** As for a pod; warnings are not repeated for an unchanged template. */
export function templateWarnings(
  field: string,
  template: PodTemplateSpec,
  old: PodTemplateSpec | undefined,
): readonly string[] {
  return deepEqual(template, old) ? [] : templateTexts(`${field}.`, template)
}

/** The same where Kubernetes looks at a whole spec: any change of it repeats the warnings about the template. */
export function changedSpecWarnings(
  field: string,
  template: PodTemplateSpec,
  spec: object,
  old: object | undefined,
): readonly string[] {
  return deepEqual(spec, old) ? [] : templateTexts(`${field}.`, template)
}

/** Pods that are replaced when they end must run until then. `kind` is the kind that creates the pods. */
export function validateLastingTemplate(field: string, template: PodTemplateSpec, kind: string): readonly FieldError[] {
  return allErrors(validateTemplate(field, template), validateLasting(field, template, kind))
}

export function validateLasting(field: string, { spec }: PodTemplateSpec, kind: string): readonly FieldError[] {
  const { restartPolicy, activeDeadlineSeconds } = spec
  return allErrors(
    restartPolicy === 'Always'
      ? []
      : [notSupportedField(`${field}.spec.restartPolicy`, restartPolicy ?? '', ['Always'])],
    activeDeadlineSeconds === undefined
      ? []
      : [forbiddenField(`${field}.spec.activeDeadlineSeconds`, `activeDeadlineSeconds in ${kind} is not Supported`)],
  )
}

/** Pods that their own controller cannot select would be created without end. */
export function checkSelected(
  field: string,
  selects: (labels: Readonly<Record<string, string>>) => boolean,
  { metadata }: PodTemplateSpec,
): readonly FieldError[] {
  if (selects(metadata.labels ?? {})) return []
  return [
    invalidPrinted(
      `${field}.metadata.labels`,
      goStringMap(metadata.labels),
      '`selector` does not match template `labels`',
    ),
  ]
}

export function isEmptySelector({ matchLabels, matchExpressions }: LabelSelector): boolean {
  return Object.keys(matchLabels ?? {}).length === 0 && (matchExpressions ?? []).length === 0
}

/** Undefined if the selector is invalid; an absent one selects nothing. */
export function selectionOf(
  selector: LabelSelector | undefined,
): ((labels: Readonly<Record<string, string>>) => boolean) | undefined {
  if (selector !== undefined && validateLabelSelector('selector', selector).length > 0) return undefined
  const parsed = labelSelectorFrom(selector)
  return (labels) => parsed.matches(labels)
}

/** Columns of `-o wide` about the containers of pods. */
export function containerColumns<T extends KubeObject>(
  templateOf: (object: T) => PodTemplateSpec | undefined,
): readonly TypedColumn<T>[] {
  return [
    wideColumn('Containers', 'Names of the containers of each pod.', (object) => containerNames(templateOf(object))),
    wideColumn('Images', 'Images of the containers of each pod.', (object) => containerImages(templateOf(object))),
  ]
}

export function containerNames(template: PodTemplateSpec | undefined): string {
  return (template?.spec.containers ?? []).map(({ name }) => name).join(',')
}

export function containerImages(template: PodTemplateSpec | undefined): string {
  return (template?.spec.containers ?? []).map(({ image }) => image ?? '').join(',')
}
