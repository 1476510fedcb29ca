import { currentWatcher } from './current-watcher.ts'
import { settingsIn, startWatching } from './start-watching.ts'

const settings = settingsIn(process.env)
if (settings !== undefined && currentWatcher() === undefined) {
  startWatching(settings, () => process.env.TENANT_CANARY_TEST ?? '')
}
