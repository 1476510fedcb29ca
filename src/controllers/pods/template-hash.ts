import { hash } from 'node:crypto'
import { generatedSuffixAlphabet } from '../../api/names.ts'
import type { PodTemplateSpec } from '../../api/types/core-v1.ts'
import { orderedJson } from '../../base/json/ordered-json.ts'

/** Equal for equal templates; different for each collision. */
export function templateHash(template: PodTemplateSpec, collisionCount: number | undefined): string {
  const digest = hash('sha256', orderedJson([template, collisionCount ?? null]), 'hex')
  const digits = String(Number.parseInt(digest.slice(0, 8), 16))
  return Array.from(digits, letterFor).join('')
}

function letterFor(digit: string): string {
  return generatedSuffixAlphabet[digit.charCodeAt(0) % generatedSuffixAlphabet.length] ?? ''
}
