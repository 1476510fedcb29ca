import { checkSelected, isEmptySelector, selectionOf, validateLastingTemplate } from '../core/pod-template.ts'
import { type FieldError, invalidField, requiredField } from '../field-error.ts'
import { validateLabelSelector } from '../selectors/label-selector-object.ts'
import type { PodTemplateSpec } from '../types/core-v1.ts'
import type { LabelSelector } from '../types/meta-v1.ts'

interface Replicated {
  readonly selector?: LabelSelector
  readonly template: PodTemplateSpec
}

/** What Deployments, ReplicaSets and StatefulSets ask of their selector and template. */
export function validateReplicated(
  { selector, template }: Replicated,
  words: { readonly emptySelectorFor: string; readonly templateIn: string; readonly badSelector: string },
): readonly FieldError[] {
  const selects = selectionOf(selector)
  return [
    ...validateRequiredSelector(selector, words.emptySelectorFor),
    ...(selects === undefined
      ? [invalidField('spec.selector', selector, words.badSelector)]
      : [
          ...(selector !== undefined && isEmptySelector(selector)
            ? []
            : checkSelected('spec.template', selects, template)),
          ...validateLastingTemplate('spec.template', template, words.templateIn),
        ]),
  ]
}

function validateRequiredSelector(selector: LabelSelector | undefined, kind: string): readonly FieldError[] {
  if (selector === undefined) return [requiredField('spec.selector')]
  return [
    ...validateLabelSelector('spec.selector', selector),
    ...(isEmptySelector(selector)
      ? [invalidField('spec.selector', selector, `empty selector is invalid for ${kind}`)]
      : []),
  ]
}
