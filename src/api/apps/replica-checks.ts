import { checkSelected, isEmptySelector, selectionOf } from '../core/pods/pod-template.ts'
import { allErrors, type FieldError, invalidField, requiredField } from '../field-error.ts'
import { validateLabelSelector } from '../selectors/label-selector-object.ts'
import type { PodTemplateSpec } from '../types/core-v1.ts'
import type { LabelSelector } from '../types/meta-v1.ts'

interface Replicated {
  readonly selector?: LabelSelector
  readonly template: PodTemplateSpec
}

export interface ReplicatedRules {
  readonly emptySelectorFor: string
  readonly badSelector: string
  readonly validateTemplate: (template: PodTemplateSpec) => readonly FieldError[]
}

/** What Deployments, ReplicaSets and StatefulSets require of their selector and template. */
export function validateReplicated(
  { selector, template }: Replicated,
  { emptySelectorFor, badSelector, validateTemplate }: ReplicatedRules,
): readonly FieldError[] {
  const selects = selectionOf(selector)
  return allErrors(
    validateRequiredSelector(selector, emptySelectorFor),
    selects === undefined
      ? [invalidField('spec.selector', selector, badSelector)]
      : [
          ...(selector !== undefined && isEmptySelector(selector)
            ? []
            : checkSelected('spec.template', selects, template)),
          ...validateTemplate(template),
        ],
  )
}

function validateRequiredSelector(selector: LabelSelector | undefined, kind: string): readonly FieldError[] {
  if (selector === undefined) return [requiredField('spec.selector')]
  return allErrors(
    validateLabelSelector('spec.selector', selector),
    isEmptySelector(selector) ? [invalidField('spec.selector', selector, `empty selector is invalid for ${kind}`)] : [],
  )
}
