import type { YamlLimits } from '../../base/json/yaml-compose.ts'
import { mapToJson } from '../../base/yaml-source/json.ts'
import type { YamlMap } from '../../base/yaml-source/node.ts'
import { readYaml } from '../../base/yaml-source/read.ts'
import { checkDocument } from './check/document.ts'
import { isTenantConfig } from './conforms.ts'
import { type ConfigDocument, configProblemOf } from './document.ts'
import { yamlValueAt } from './locate.ts'
import type { ConfigFinding, Problem } from './problem.ts'
import type { TenantConfig } from './types.ts'

export type ParsedTenantConfig =
  | { readonly config: TenantConfig; readonly warnings: readonly Problem[]; readonly document: ConfigDocument }
  /** Everything that is wrong, including warnings, in the order of the text. */
  | { readonly problems: readonly Problem[]; readonly document: ConfigDocument }

/** For a file of the user who runs the program: far more than a real one needs, and still read quickly. */
export const ownConfig: YamlLimits = { characters: 256 * 1024, words: 100_000 }

/** For a configuration sent to a server, where reading it delays other requests. */
const servedConfig: YamlLimits = { characters: 64 * 1024, words: 20_000 }

/**
 * Reads a tenant.yaml strictly. Never throws, whatever the text; an empty text is a valid configuration. Paths and
 * expressions of patches are checked elsewhere, and shown with `positionOf`.
 */
export function parseTenantConfig(text: string, fileName: string, limits = servedConfig): ParsedTenantConfig {
  const document: ConfigDocument = { file: fileName, source: readYaml(withinLimit(text, limits), limits) }
  const findings = findingsOf(document, text, limits)
  const problems = findings.map((finding) => configProblemOf(document, finding))
  if (findings.some(({ severity }) => severity !== 'warning')) return { problems, document }
  return { config: configOf(document), warnings: problems, document }
}

function withinLimit(text: string, { characters }: YamlLimits): string {
  const content = text.startsWith('\ufeff') ? text.slice(1) : text
  return content.length > characters ? '' : content
}

function findingsOf({ source }: ConfigDocument, text: string, { characters }: YamlLimits): readonly ConfigFinding[] {
  if (text.length > characters + 1) return [tooLarge(characters)]
  if (source.problems.length > 0) {
    return source.problems.map((problem): ConfigFinding => ({ code: 'syntax', path: [], ...problem }))
  }
  return source.root === undefined ? [] : checkDocument(source.root)
}

function tooLarge(characters: number): ConfigFinding {
  const message = `the file has more than ${characters} characters`
  return { code: 'too-large', path: [], span: { start: 0, end: 0 }, message }
}

function configOf({ source: { root } }: ConfigDocument): TenantConfig {
  const written = root?.type === 'map' ? withPlatformFolded(root) : {}
  if (isTenantConfig(written)) return written
  throw new Error('a configuration without problems does not fit its own fields')
}

/** The alias `platform` exists only in the file. */
function withPlatformFolded(root: YamlMap): unknown {
  const { platform, ...others } = mapToJson(root)
  if (platform === undefined) return others
  const external = yamlValueAt(root, ['external'])
  return { ...others, external: { ...(external?.type === 'map' && mapToJson(external)), platform } }
}
