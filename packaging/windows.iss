; Inno Setup: an installer for one user, without administrator rights. Run after PyInstaller:
;   iscc /DVersion=0.1.0 packaging\windows.iss
#ifndef Version
  #error Give the version: /DVersion=...
#endif

[Setup]
AppId={{6E1B7C52-6C0B-4E0B-9C6E-6D5B0B7C52A1}
AppName=Replitune
AppVersion={#Version}
DefaultDirName={localappdata}\Programs\Replitune
DisableProgramGroupPage=yes
PrivilegesRequired=lowest
OutputDir=..\dist
OutputBaseFilename=replitune-{#Version}-setup
Compression=lzma2
SolidCompression=yes
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
LicenseFile=..\LICENSE

[Files]
Source: "..\dist\replitune\*"; DestDir: "{app}"; Flags: recursesubdirs ignoreversion

[Icons]
Name: "{userprograms}\Replitune"; Filename: "{app}\replitune-window.exe"

[Run]
Filename: "{app}\replitune-window.exe"; Description: "Start Replitune"; Flags: nowait postinstall skipifsilent
