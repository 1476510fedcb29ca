import type { FieldPresence } from '../facts/message.ts'
import { findMessage } from '../facts/messages.ts'
import type { Schema } from '../schema.ts'

/** For each member of a builtin message, whether an empty value differs from its absence. */
export function memberPresence(schema: Schema): ReadonlyMap<string, FieldPresence> {
  const presence = new Map<string, FieldPresence>()
  for (const name of schema.required ?? []) presence.set(name, 'always')
  const message = schema.name === undefined ? undefined : messageName(schema.name)
  if (message !== undefined) addFields(message, presence)
  return presence
}

function addFields(message: string, presence: Map<string, FieldPresence>): void {
  for (const field of findMessage(message)?.fields ?? []) {
    if (field.isInlined) addFields(field.type, presence)
    else if (field.presence !== 'optional') presence.set(field.name, field.presence)
  }
}

/** `io.k8s.api.core.v1.Service` is the message `k8s.io.api.core.v1.Service`. */
function messageName(published: string): string {
  return published.replace(/^io\.k8s\./, 'k8s.io.').replaceAll('-', '_')
}
