import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { StartError } from '../../lib/start-error.ts'

export type SystemUser = { name: string; uid: number; gid: number }

const OWN_USER = 'holdfast-db'

export function isRoot(): boolean {
  return process.getuid?.() === 0
}

/** The user that root runs PostgreSQL as: the owner of existing data, else an unprivileged system user. */
export function databaseUser(cluster: string | null): SystemUser {
  const user =
    (cluster && ownerOf(cluster)) ||
    lookUp('postgres') ||
    lookUp(OWN_USER) ||
    create(OWN_USER) ||
    lookUp('nobody')
  if (user) return user
  throw new StartError(
    'PostgreSQL does not run as root and this system has no user "postgres", "holdfast-db" or "nobody": start as a normal user, or set DATABASE_URL.',
  )
}

/** Options for `spawn` to run a program as that user. This also drops root's other groups. */
export function runAs(user: SystemUser | null): { uid?: number; gid?: number } {
  return user ? { uid: user.uid, gid: user.gid } : {}
}

// Tries it instead of reading mode bits, because access lists and mounts also matter.
export function canEnter(user: SystemUser, folder: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', folder], { ...runAs(user), cwd: '/' }).status === 0
}

function ownerOf(cluster: string): SystemUser | null {
  const { uid, gid } = statSync(cluster)
  return uid === 0 ? null : { name: ask('id', ['-un', String(uid)]) ?? String(uid), uid, gid }
}

function lookUp(name: string): SystemUser | null {
  const uid = ask('id', ['-u', name])
  const gid = ask('id', ['-g', name])
  return uid && gid ? { name, uid: Number(uid), gid: Number(gid) } : null
}

function create(name: string): SystemUser | null {
  const account = [
    '--system',
    '--user-group',
    '--no-create-home',
    '--home-dir',
    '/nonexistent',
    '--shell',
    '/usr/sbin/nologin',
  ]
  return ask('useradd', [...account, name]) === null ? null : lookUp(name)
}

function ask(command: string, args: string[]): string | null {
  const { status, stdout } = spawnSync(command, args, { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}
