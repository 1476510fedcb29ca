import type { Kind } from '../kind.ts'
import { customResourceDefinition } from './definition/definition.ts'

export function apiextensionsKinds(): readonly Kind[] {
  return [customResourceDefinition]
}
