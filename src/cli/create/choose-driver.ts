import { CredentialPluginFailed, KubeconfigError } from '../../client/kubeconfig/contract.ts'
import type { DriverName } from '../arguments/driver-option.ts'
import { isLocalPlatform } from '../local-platforms/find.ts'
import { howToLogIn } from '../local-platforms/how-to-log-in.ts'
import type { Session } from '../platform/session.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** Local while `tenant up` is the current platform, unless a driver is named. */
export async function chooseDriverName(
  named: DriverName | undefined,
  session: Session | undefined,
  terminal: Terminal,
): Promise<DriverName> {
  if (named !== undefined) return named
  if (session === undefined) return 'kubernetes'
  return (await isLocalPlatform(session.platform.url, terminal)) ? 'local' : 'kubernetes'
}

interface Choice {
  readonly driver?: DriverName
  readonly session: Session | undefined
}

/** Tells a user without a kubeconfig of a host about the alternative, unless a driver was named. */
export async function suggestingLocalDriver(
  { driver, session }: Choice,
  terminal: Terminal,
  act: () => Promise<void>,
): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!(error instanceof KubeconfigError) || error instanceof CredentialPluginFailed) throw error
    if (driver !== undefined) throw error
    throw new Error(`${error.message}; ${await otherWay(session, terminal)}`)
  }
}

/** The platform may belong to another user's `tenant up`, which is not visible from here. */
async function otherWay(session: Session | undefined, terminal: Terminal): Promise<string> {
  return session === undefined
    ? `name that of the host cluster with --kubeconfig, or log in to a platform that tenant up runs:\n  ${await howToLogIn(terminal)}`
    : 'on a platform that tenant up runs, say --driver local'
}
