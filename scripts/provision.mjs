// The programs that the tests need besides npm packages. Installed here if the machine allows it (Debian, root or sudo without a
// password), else named. Never a silent skip: the caller prints what is missing.
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

const jar = (name) => `/usr/share/java/${name}.jar`;

/** A program to find on PATH, or the path of a file, the Debian packages that bring it, and its use in the tests. */
export const tools = [
  {
    name: 'chromium',
    programs: ['chromium', 'chromium-browser', 'google-chrome'],
    variable: 'CHROMIUM_PATH',
    packages: ['chromium', 'fonts-liberation'],
    use: 'end-to-end tests',
  },
  {
    name: 'chromium-headless-shell',
    programs: ['chromium-headless-shell'],
    variable: 'CHROMIUM_SHELL_PATH',
    packages: ['chromium-headless-shell'],
    use: 'end-to-end tests that run faster without windows',
    // The whole Chromium does the same.
    optional: true,
  },
  { name: 'php', programs: ['php'], packages: ['php-cli', 'php-curl'], use: 'the oracle for signing' },
  {
    name: "PHP's SQLite",
    programs: ['/usr/share/doc/php-sqlite3/copyright'],
    packages: ['php-sqlite3'],
    use: 'the wallet in PHP that the wallet suite tests',
  },
  { name: 'curl', programs: ['curl'], packages: ['curl'], use: 'a second HTTPS client' },
  { name: 'python3', programs: ['python3'], packages: ['python3'], use: 'exported programs' },
  {
    name: 'requests',
    programs: ['/usr/lib/python3/dist-packages/requests/__init__.py'],
    packages: ['python3-requests'],
    use: "backends' clients of HTTP",
  },
  { name: 'ruby', programs: ['ruby'], packages: ['ruby'], use: 'the fixes of the hash doctor' },
  { name: 'go', programs: ['go'], packages: ['golang-go'], use: 'the fixes of the hash doctor' },
  { name: 'javac', programs: ['javac'], packages: ['default-jdk-headless'], use: 'the fixes of the hash doctor' },
  {
    name: 'Jackson',
    programs: [jar('jackson-databind')],
    packages: ['libjackson2-databind-java'],
    use: 'the fixes of the hash doctor',
  },
  { name: 'Gson', programs: [jar('gson')], packages: ['libgoogle-gson-java'], use: 'the fixes of the hash doctor' },
  { name: 'openssl', programs: ['openssl'], packages: ['openssl'], use: 'exported programs' },
  { name: 'git', programs: ['git'], packages: ['git'], use: 'collections in a repository' },
  { name: 'dbus-run-session', programs: ['dbus-run-session'], packages: ['dbus'], use: 'keychain tests' },
  {
    name: 'gnome-keyring-daemon',
    programs: ['gnome-keyring-daemon'],
    packages: ['gnome-keyring', 'libsecret-1-0'],
    use: 'keychain tests',
  },
  {
    name: 'dbus-test-tool',
    programs: ['dbus-test-tool'],
    packages: ['dbus-tests'],
    use: 'tests of a keychain that never responds',
  },
];

/** Returns the absolute path of the first program found, or null. */
export function find(tool, env = process.env) {
  const named = tool.variable && env[tool.variable];
  if (named) return named;
  for (const folder of (env.PATH ?? '').split(path.delimiter)) {
    for (const program of tool.programs) {
      const file = path.resolve(folder, process.platform === 'win32' ? `${program}.exe` : program);
      try {
        accessSync(file, path.isAbsolute(program) ? constants.R_OK : constants.X_OK);
        return file;
      } catch {
        // Not in this folder.
      }
    }
  }
  return null;
}

/** Installs missing ones of the wanted tools if it can; returns those that are still missing. */
export function provision(log = console.error, wanted = tools) {
  const missing = () => wanted.filter((tool) => find(tool) === null);
  const before = missing();
  if (before.length === 0) return [];
  const packages = before.flatMap((tool) => tool.packages);
  const root = process.getuid?.() === 0;
  const can = find({ programs: ['apt-get'] }) !== null && (root || spawnSync('sudo', ['-n', 'true']).status === 0);
  if (!can) return before.filter(({ optional }) => !optional);
  log(`Installing what the tests need: ${packages.join(' ')}`);
  const apt = (...args) => {
    const command = ['apt-get', '-qq', '-o', 'DPkg::Lock::Timeout=120', ...args];
    const options = { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
    return root ? spawnSync(command[0], command.slice(1), options) : spawnSync('sudo', ['-n', '-E', ...command], options);
  };
  apt('update');
  apt('install', '-y', '--no-install-recommends', ...packages);
  return missing().filter(({ optional }) => !optional);
}

/** Passes the Chromiums to later processes by environment variables; returns whether there is one. */
export function findChromium(env = process.env) {
  for (const tool of tools) {
    const found = tool.variable ? find(tool, env) : null;
    if (found !== null) env[tool.variable] = found;
  }
  return Boolean(env.CHROMIUM_PATH);
}
