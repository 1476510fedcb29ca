import type { Kind } from '../kind.ts'
import { flowSchema } from './flow-schema.ts'
import { priorityLevelConfiguration } from './priority-level-configuration.ts'

export function flowcontrolKinds(): readonly Kind[] {
  return [flowSchema, priorityLevelConfiguration]
}
