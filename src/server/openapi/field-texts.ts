import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { lazily } from '../../base/lazily.ts'

/** Texts of `kubectl explain` for a definition and its members, where the project has no text of its own. */
export interface DefinitionTexts {
  readonly text?: string | undefined
  readonly members: Readonly<Record<string, string>>
}

/** By definition names, such as `io.k8s.api.core.v1.Pod`. */
export type FieldTexts = ReadonlyMap<string, DefinitionTexts>

/** Created by the build. Beside the compiled program, or in the build output of a checkout. */
const places = ['./field-texts.json', '../../../dist/server/openapi/field-texts.json']

/** Read on the first request for OpenAPI, which most processes never get. Empty if nothing has been built. */
export const builtFieldTexts = lazily((): FieldTexts => {
  const file = places.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((path) => existsSync(path))
  if (file === undefined) return new Map()
  const texts: Record<string, DefinitionTexts> = JSON.parse(readFileSync(file, 'utf8'))
  return new Map(Object.entries(texts))
})
