import { hash } from 'node:crypto'
import { podTemplate } from '../../api/core/pods/pod-template-kind.ts'
import { decodeObject } from '../../api/decode/object.ts'
import { ApiError } from '../../api/error.ts'
import type { PodTemplate, PodTemplateSpec } from '../../api/types/core-v1.ts'
import { orderedJson } from '../../base/json/ordered-json.ts'

/**
 * The template with every default. It may have been stored with fewer defaults, or come from a revision, in which its
 * writer may put anything: undefined if it is not a template.
 */
export function completedTemplate(template: unknown): PodTemplateSpec | undefined {
  if (template === undefined) return undefined
  const value = { apiVersion: 'v1', kind: 'PodTemplate', metadata: {}, template }
  try {
    const { object } = decodeObject(podTemplate, { value, duplicateFields: [], text: '' })
    const { defaults = (each) => each } = podTemplate.strategy
    return (defaults(object) as PodTemplate).template
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** Equal for templates that make the same Pods. */
export function templateDigest(template: unknown): string | undefined {
  const completed = completedTemplate(template)
  return completed === undefined ? undefined : hash('sha256', orderedJson(completed), 'base64')
}
