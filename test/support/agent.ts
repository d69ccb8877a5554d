// An agent: the library's own client over HTTP.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'
import { mailsTo } from './mailbox.ts'
import type { TestService } from './service.ts'

const origins = new WeakMap<TestService, string>()

async function originOf(holdfast: TestService): Promise<string> {
  const origin = origins.get(holdfast) ?? (await holdfast.app.listen({ port: 0, host: '127.0.0.1' }))
  origins.set(holdfast, origin)
  return origin
}

// biome-ignore lint/suspicious/noExplicitAny: results of many shapes
export type Result = { data: any; text: string; isError: boolean }

export async function makeAgent(holdfast: TestService, headers: Record<string, string> = {}) {
  const client = new Client({ name: 'test', version: '1' })
  const url = new URL('/mcp', await originOf(holdfast))
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  onTestFinished(() => client.close())
  const call = async (name: string, input: Record<string, unknown> = {}): Promise<Result> => {
    const { content, structuredContent, isError = false } = await client.callTool({ name, arguments: input })
    const [first] = content as { text: string }[]
    return { data: structuredContent, text: first!.text, isError }
  }
  return { client, call }
}

export type Agent = Awaited<ReturnType<typeof makeAgent>>

/** The path of the link in the last proposal to this address. */
export async function confirmPath(holdfast: TestService, email: string): Promise<string> {
  const mail = (await mailsTo(holdfast, email)).findLast(one => one.kind === 'proposal')
  return new URL(/http\S+\/confirm\/\S+/.exec(mail!.text)![0]).pathname
}
