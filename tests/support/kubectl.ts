import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

/** One unmodified kubectl. */
export interface KubectlBinary {
  /** How tests name it, for example `kubectl 1.32`. */
  readonly name: string
  readonly command: string
  readonly minor: number
  /** The minor version that a server has to report to be served by it. */
  readonly serverMinor: string
}

const currentCommand = join(
  process.env.TENANT_TEST_TOOLS ?? join(homedir(), '.cache', 'tenant-test-tools'),
  'kubectl/usr/bin/kubectl',
)
const systemCommand = '/usr/bin/kubectl'
const oldMinor = 20
/** From here on a kubectl counts as current: it sends protobuf. */
const currentMinor = 32

/** Every kubectl of this machine, the newest first, one per version. */
export function findKubectls(): readonly KubectlBinary[] {
  const dispatched = dispatchedKubectls()
  const single = [currentCommand, systemCommand]
    .filter((command) => existsSync(command) && !dispatched.some((each) => isSameFile(each.command, command)))
    .map(describeBinary)
  const byMinor = new Map([...dispatched, ...single].reverse().map((binary) => [binary.minor, binary]))
  return [...byMinor.values()].sort((left, right) => right.minor - left.minor)
}

/** What the suite cannot do without, and how to get it. */
export function missingKubectls(found: readonly KubectlBinary[]): readonly string[] {
  return [
    ...(found.some(({ minor }) => minor >= currentMinor)
      ? []
      : [`kubectl 1.${currentMinor} or newer is missing: tests/support/fetch-kubectl puts it at ${currentCommand}`]),
    ...(found.some(({ minor }) => minor === oldMinor)
      ? []
      : [`kubectl 1.${oldMinor} is missing: Debian 12's package kubernetes-client puts it at ${systemCommand}`]),
  ]
}

/**
 * Some installations have a kubectl that asks the server for its version and then becomes the file beside it that
 * fits, `kubectl.1.27` and so on. Such a machine gives a run for every one of them.
 */
function dispatchedKubectls(): readonly KubectlBinary[] {
  const directories = (process.env.PATH ?? '').split(delimiter).filter((directory) => directory !== '')
  const dispatcher = directories.map((directory) => join(directory, 'kubectl')).find((file) => existsSync(file))
  if (dispatcher === undefined) return []
  const beside = readdirSync(dirname(realpathSync(dispatcher)))
  return beside.flatMap((file) => {
    const serverMinor = /^kubectl\.1\.(\d+)$/.exec(file)?.[1]
    if (serverMinor === undefined) return []
    return [{ name: `kubectl 1.${serverMinor}`, command: dispatcher, minor: Number(serverMinor), serverMinor }]
  })
}

function describeBinary(command: string): KubectlBinary {
  const output = execFileSync(command, ['version', '--client', '-o', 'json'], { encoding: 'utf8' })
  const minor = Number.parseInt(JSON.parse(output).clientVersion.minor, 10)
  return { name: `kubectl 1.${minor}`, command, minor, serverMinor: String(currentMinor) }
}

function isSameFile(left: string, right: string): boolean {
  return realpathSync(left) === realpathSync(right)
}
