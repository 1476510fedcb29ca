import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { chromiumPath } from '../programs/chromium-path.ts'
import type { SharedBrowser } from './contract.ts'

/** Python, so that it runs on every processor. */
const withoutNetlink = join(import.meta.dirname, 'without-netlink')

export async function startSharedBrowser() {
  if (chromiumPath === undefined) throw new Error('Chromium is not installed (Debian package chromium-headless-shell)')
  const server = await chromium.launchServer({
    executablePath: withoutNetlink,
    env: { ...process.env, PROGRAM: chromiumPath },
    host: '127.0.0.1',
    args: ['--no-sandbox'],
  })
  const part: SharedBrowser = { endpoint: server.wsEndpoint() }
  return { part, stop: () => server.close() }
}
