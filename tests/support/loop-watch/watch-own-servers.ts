import { settingsIn } from '../canary/start-watching.ts'
import { loopFolder } from './loop-folder.ts'
import { watchLoop } from './watch-loop.ts'

/** For servers in the process of the tests: watches their loop until the returned function is called. */
export function watchOwnLoop(): () => void {
  const settings = settingsIn(process.env)
  if (settings === undefined) return () => {}
  return watchLoop({
    folder: loopFolder(settings.TENANT_CANARY_FOLDER),
    isOfTests: true,
    command: 'a server in the process of the tests',
    test: () => process.env.TENANT_CANARY_TEST ?? '',
  })
}
