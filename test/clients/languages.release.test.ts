import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { call, startTestService, type TestService } from '../support/service.ts'
import { makeBookableRoom } from './room.ts'
import { makeFolder } from './tools.ts'

// Clients in other languages, from the document as OpenAPI 3.0: OpenAPI Generator for Python, and Perl's
// OpenAPI::Client. .ci/run installs them; without them, their tests are skipped.

const run = promisify(execFile)
const generator = fileURLToPath(
  new URL('../../clients/tools/generators/openapi-generator.jar', import.meta.url),
)
// Debian's own, which has Debian's packages.
const python = '/usr/bin/python3'
const works = (program: string, ...args: string[]) => spawnSync(program, args).status === 0

const hasPython =
  existsSync(generator) &&
  works('java', '-version') &&
  works(python, '-c', 'import urllib3, six, dateutil, certifi')
const hasPerl = works('perl', '-MOpenAPI::Client', '-e', '1')
if (!hasPython) console.warn('OpenAPI Generator, Java or its Python packages are missing: Python is skipped.')
if (!hasPerl) console.warn('OpenAPI::Client is missing: Perl is skipped.')

let holdfast: TestService
let baseUrl: string
let temporary: Awaited<ReturnType<typeof makeFolder>>
beforeAll(async () => {
  holdfast = await startTestService()
  baseUrl = await holdfast.app.listen({ port: 0, host: '127.0.0.1' })
  temporary = await makeFolder()
  const write = (name: string, text: string) => writeFile(join(temporary.folder, name), text)
  await write('openapi.json', (await call(holdfast.app, 'GET', '/openapi-3.0.json')).text)
  await write('book.py', pythonProgram)
  await write('book.pl', perlProgram)
}, 180_000)
afterAll(async () => {
  await temporary.remove()
  await holdfast.close()
})

const only = 'apiDocs=false,modelDocs=false,apiTests=false,modelTests=false,apis,models,supportingFiles'

it.skipIf(!hasPython).concurrent(
  'a generated Python client compiles and books',
  async () => {
    const { ref, productUuid } = await makeBookableRoom(holdfast)
    const cwd = temporary.folder
    const input = ['-i', 'openapi.json', '-g', 'python', '-o', 'python', '--skip-validate-spec']
    const java = [
      '-XX:TieredStopAtLevel=1',
      '-jar',
      generator,
      'generate',
      ...input,
      '--global-property',
      only,
    ]
    await run('java', java, { cwd, maxBuffer: 2 ** 26 })
    await run(python, ['-m', 'compileall', '-q', 'python/openapi_client'], { cwd })
    const { stdout } = await run(python, ['book.py', baseUrl, ref, productUuid], { cwd })
    expect(stdout).toContain('/cancel/')
  },
  120_000,
)

it.skipIf(!hasPerl).concurrent(
  'a Perl client made from the document checks its calls and books',
  async () => {
    const { ref, productUuid } = await makeBookableRoom(holdfast)
    const { stdout } = await run('perl', ['book.pl', baseUrl, ref, productUuid], { cwd: temporary.folder })
    expect(stdout).toContain('/cancel/')
  },
  120_000,
)

const pythonProgram = `
import json, sys
sys.path.insert(0, "python")
import openapi_client
from openapi_client.api.c__booking_api import CBookingApi

base_url, ref, product_uuid = sys.argv[1:]
configuration = openapi_client.Configuration(host=base_url)
# This old generator forgets the attribute, and reads it wherever a key may be sent.
configuration.access_token = None
api = CBookingApi(openapi_client.ApiClient(configuration))
# The model of this old generator has no days, so the answer is read as it comes.
groups = json.loads(api.list_bookables(ref, prd_ref=product_uuid, _preload_content=False).data)
slot = groups["2027-03-04"][0]
hold = {"timeslot_uuid": slot["timeslot_uuid"], "product_uuid": product_uuid, "from": slot["start"], "to": slot["end"]}
held = api.reserve_appointment(ref, hold)
booking = {
    "start": slot["start"], "end": slot["end"], "timeslot_uuid": slot["timeslot_uuid"],
    "placeholder_id": held.participation.customer_uuid,
    "email": "ann@example.org", "firstname": "Ann", "lastname": "Berg",
}
print(api.complete_booking(ref, booking).created_appointment.cancel_link)
`

const perlProgram = `
use strict;
use warnings;
use OpenAPI::Client;

my ($base_url, $ref, $product_uuid) = @ARGV;
my $client = OpenAPI::Client->new('openapi.json', base_url => $base_url);
sub data { my $tx = shift; die $tx->error->{message} . $tx->res->body if $tx->error; return $tx->res->json }
my $groups = data($client->listBookables({ ref => $ref, prdRef => [$product_uuid] }));
my $slot = $groups->{'2027-03-04'}[0];
my %times = (timeslot_uuid => $slot->{timeslot_uuid}, product_uuid => $product_uuid);
my $hold = { %times, from => $slot->{start}, to => $slot->{end} };
my $held = data($client->reserveAppointment({ ref => $ref, body => $hold }));
my $booking = {
  %times, start => $slot->{start}, end => $slot->{end}, placeholder_id => $held->{participation}{customer_uuid},
  email => 'ann@example.org', firstname => 'Ann', lastname => 'Berg',
};
my $made = data($client->completeBooking({ ref => $ref, body => $booking }));
print $made->{createdAppointment}{cancelLink}, "\\n";
`
