import { ensureKey } from '../actions/setup/keys.ts'
import type { Service } from '../service.ts'

/** Creates what BOOTSTRAP_CRM and BOOTSTRAP_API_KEY require. */
export async function ensureBootstrap(service: Service) {
  const { bootstrapCrm, bootstrapApiKey } = service.config
  if (bootstrapCrm) await ensureKey(service, bootstrapCrm, bootstrapApiKey)
}
