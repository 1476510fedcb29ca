import type { VersionInfo } from '../contract.ts'
import { jsonTextResponse } from '../encode/value.ts'
import type { Handler } from '../exchange.ts'
import { negotiateError, plainJson, requireJson } from '../request/negotiate.ts'

/** kubectl adapts its behavior to major and minor, and prints gitVersion. */
export function versionHandler(version: VersionInfo): Handler {
  const json = JSON.stringify({
    major: version.major,
    minor: version.minor,
    gitVersion: version.gitVersion,
    gitCommit: version.gitCommit ?? '',
    gitTreeState: 'clean',
    buildDate: version.buildDate ?? '1970-01-01T00:00:00Z',
    goVersion: `node ${process.version}`,
    compiler: 'v8',
    platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
  })
  return (exchange) => {
    requireJson(exchange)
    const media = negotiateError(exchange)
    return jsonTextResponse(200, json, media.format === 'protobuf' ? plainJson : { ...media, format: 'json' })
  }
}
