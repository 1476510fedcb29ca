import { KubeconfigError } from '../../client/kubeconfig/contract.ts'
import type { DriverName } from '../arguments/driver-option.ts'
import { isLocalPlatform } from '../local-platforms/find.ts'
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

/** A member who has no kubeconfig of a host may be on a platform of another user's `tenant up`, which cannot be seen from here. */
export async function tellingOfLocal(
  named: DriverName | undefined,
  session: Session | undefined,
  act: () => Promise<void>,
): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!(error instanceof KubeconfigError) || named !== undefined || session === undefined) throw error
    throw new Error(`${error.message}; on a platform that tenant up runs, say --driver local`)
  }
}
