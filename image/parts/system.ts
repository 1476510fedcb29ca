import type { LayerEntry } from '../contract.ts'

/** A user that no image has: see src/cli/create/manifests/stateful-set.ts. */
export const imageUser = 65_532

/** What programs expect of any Linux system. */
export const systemEntries: readonly LayerEntry[] = [
  text('etc/passwd', [
    'root:x:0:0:root:/root:/sbin/nologin',
    `tenant:x:${imageUser}:${imageUser}:tenant:/var/lib/tenant:/sbin/nologin`,
  ]),
  text('etc/group', ['root:x:0:', `tenant:x:${imageUser}:`]),
  text('etc/nsswitch.conf', ['hosts: files dns']),
  { type: 'directory', path: 'tmp', mode: 0o1777, owner: 0 },
  { type: 'directory', path: 'var/lib/tenant', mode: 0o755, owner: imageUser },
]

function text(path: string, lines: readonly string[]): LayerEntry {
  return { type: 'file', path, mode: 0o644, content: Buffer.from(`${lines.join('\n')}\n`) }
}
