import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { lazily } from '../../base/lazily.ts'

/** What `kubectl explain` says of a definition and its members where this project has no words of its own. */
export interface DefinitionTexts {
  readonly text?: string | undefined
  readonly members: Readonly<Record<string, string>>
}

/** By the names of definitions, such as `io.k8s.api.core.v1.Pod`. */
export type FieldTexts = ReadonlyMap<string, DefinitionTexts>

/** Made by the build. Beside the compiled program, or where the build of a checkout puts it. */
const places = ['./field-texts.json', '../../../dist/server/openapi/field-texts.json']

/** Read when OpenAPI is first asked for, which most processes never are. None where nothing has been built. */
export const builtFieldTexts = lazily((): FieldTexts => {
  const file = places.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((path) => existsSync(path))
  if (file === undefined) return new Map()
  const texts: Record<string, DefinitionTexts> = JSON.parse(readFileSync(file, 'utf8'))
  return new Map(Object.entries(texts))
})
