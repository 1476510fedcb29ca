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
