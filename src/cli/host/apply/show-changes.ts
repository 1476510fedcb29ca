import { isJsonObject } from '../../../base/json/member.ts'
import { toYaml } from '../../../base/json/to-yaml.ts'
import { type Colors, messageColors } from '../../output/colors.ts'
import { sayPainted } from '../../output/messages.ts'
import { unifiedDiff } from '../../output/unified-diff.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import type { Manifest } from '../manifest.ts'
import { sameObject, shownObject } from './objects.ts'

/** What an upgrade is about to change, as a diff. */
export function showChanges(before: readonly Manifest[], after: readonly Manifest[], terminal: Terminal): void {
  const text = changesText(before, after, messageColors(terminal))
  sayPainted(terminal, text === '' ? 'Nothing changes.' : text.trimEnd())
}

function changesText(before: readonly Manifest[], after: readonly Manifest[], colors: Colors): string {
  const gone = before.filter((old) => !after.some((each) => sameObject(each, old)))
  return [
    ...after.map((wanted) =>
      diffOf(
        before.find((old) => sameObject(old, wanted)),
        wanted,
        colors,
      ),
    ),
    ...gone.map((old) => diffOf(old, undefined, colors)),
  ].join('')
}

function diffOf(before: Manifest | undefined, after: Manifest | undefined, colors: Colors): string {
  const shown = shownObject(after ?? before ?? { apiVersion: '', kind: '', metadata: {} })
  const labels = { before: before ? shown : '/dev/null', after: after ? shown : '/dev/null' }
  return unifiedDiff(before ? printed(before) : '', after ? printed(after) : '', labels, colors)
}

/** The only Secret among them holds tenant.yaml, which is easier to read in its original form. */
function printed(manifest: Manifest): string {
  const { data } = manifest
  if (manifest.kind !== 'Secret' || !isJsonObject(data)) return toYaml(manifest)
  const entries = Object.entries(data).map(([name, value]) => [
    name,
    Buffer.from(String(value), 'base64').toString('utf8'),
  ])
  return toYaml({ ...manifest, data: Object.fromEntries(entries) })
}
