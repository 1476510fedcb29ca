import { settingsIn } from '../canary/start-watching.ts'
import { loopFolder } from './loop-folder.ts'
import { watchLoop } from './watch-loop.ts'

const [, script = '', ...words] = process.argv
const settings = settingsIn(process.env)
const mostWords = 4

/** Tools may compute for any time: packages of others are not watched, only our own programs. */
function isOurs(): boolean {
  return /\/cli\/main\.js$|\/tenant$/.test(script) || !/\/node_modules\/|\/npm/.test(script)
}

if (settings !== undefined && script !== '' && isOurs()) {
  watchLoop({
    folder: loopFolder(settings.TENANT_CANARY_FOLDER),
    isOfTests: false,
    command: [script.split('/').slice(-2).join('/'), ...words.slice(0, mostWords)].join(' '),
    test: () => process.env.TENANT_CANARY_TEST ?? '',
  })
}
