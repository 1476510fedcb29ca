import { escapedJson } from '../unseen.ts'

/** A value as JSON for people to read, without characters that a terminal would act on. */
export function jsonText(value: unknown): string {
  return `${escapedJson(JSON.stringify(value, null, 2) ?? 'null')}\n`
}
