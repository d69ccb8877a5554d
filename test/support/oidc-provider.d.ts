// The package has no types; these are the parts that tests use.
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  export class Provider {
    constructor(issuer: string, configuration: Configuration)
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
    Grant: new (of: {
      clientId: string
      accountId: string
    }) => { addOIDCScope(scope: string): void; save(): Promise<string> }
  }

  type Configuration = {
    clients: object[]
    claims: Record<string, string[]>
    features: object
    interactions: { url(context: unknown, interaction: { uid: string }): string }
    pkce: { required(): boolean }
    cookies: { keys: string[] }
    findAccount(context: unknown, id: string): { accountId: string; claims(): Promise<object> }
    loadExistingGrant(context: {
      oidc: { client?: { clientId: string }; session?: { accountId?: string } }
    }): Promise<unknown>
  }
}
